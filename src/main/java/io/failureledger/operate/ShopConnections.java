package io.failureledger.operate;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which shop belongs to which organization: the records {@code shop_connection}. A change is in the
 * ledger when the call returns, with who made it. Each instance obeys it within 60 s, and at once
 * for a shop that had no target. A repeat changes nothing.
 */
public final class ShopConnections {
  private static final Statement<Connecting, Made> CONNECT =
      Statement.of("shop_connection/connect-shop", Connecting.class, Made.class);
  private static final Statement<Disconnecting, Closed> DISCONNECT =
      Statement.of("shop_connection/disconnect-shop", Disconnecting.class, Closed.class);
  private static final Statement<Listing, Shown> LIST =
      Statement.of("shop_connection/list-shops", Listing.class, Shown.class);

  private final Ledger ledger;

  public ShopConnections(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Connecting(String shopDomain, String organizationId, String by, String reason) {}

  private record Made(Long id) {}

  private record Disconnecting(
      String shopDomain, String organizationId, String by, String reason) {}

  private record Closed(long id, String organizationId) {}

  private record Listing(boolean closed, String shopDomain) {}

  /**
   * One connection.
   *
   * @param disconnectedAt in words; null while it is open
   * @param jdbcUrl of the organization's target; null without one
   * @param credential whether that target has one
   * @param open how many open connections its shop has
   */
  public record Shown(
      long id,
      String shopDomain,
      String organizationId,
      String disconnectedAt,
      String jdbcUrl,
      boolean credential,
      long open) {

    /** What an event of the shop finds, in one or two words. */
    public String state() {
      if (disconnectedAt != null) {
        return "disconnected";
      }
      if (open > 1) {
        return "several open";
      }
      return jdbcUrl == null ? "no target" : credential ? "ok" : "no credential";
    }
  }

  /**
   * Connects the shop to the organization.
   *
   * @return what came of it, in a sentence
   * @throws ConflictException when it is connected to another one
   * @throws SQLException when the ledger did not answer
   */
  public String connect(String shop, String organization, String by, String reason)
      throws SQLException {
    if (ledger.run(CONNECT, new Connecting(shop, organization, by, reason)).get(0).id() == null) {
      List<Shown> open = ledger.run(LIST, new Listing(false, shop));
      if (open.size() == 1 && open.get(0).organizationId().equals(organization)) {
        return shop + " is connected to " + organization + " already";
      }
      throw new ConflictException(
          shop + " is connected to " + organizations(open) + "; disconnect it first.");
    }
    return shop + " is connected to " + organization;
  }

  /**
   * Disconnects the shop: from then on its events are parked, and replayed once it is connected.
   *
   * @param organization from which; null where the shop has one connection
   * @return what came of it, in a sentence
   * @throws NotFoundException when the shop was never connected
   * @throws ConflictException when it has several open connections and none is named
   * @throws SQLException when the ledger did not answer
   */
  public String disconnect(String shop, String organization, String by, String reason)
      throws SQLException {
    List<Shown> all = ledger.run(LIST, new Listing(true, shop));
    List<Shown> open =
        all.stream()
            .filter(each -> each.disconnectedAt() == null)
            .filter(each -> organization == null || each.organizationId().equals(organization))
            .toList();
    if (all.isEmpty()) {
      throw new NotFoundException("no shop is called " + shop + "; see shop list.");
    }
    if (open.isEmpty()) {
      return shop
          + (organization == null
              ? " has no open connection"
              : " is not connected to " + organization);
    }
    if (organization == null && open.size() > 1) {
      throw new ConflictException(
          shop
              + " is connected to "
              + organizations(open)
              + "; say from which one, with --organization.");
    }
    ledger.run(DISCONNECT, new Disconnecting(shop, organization, by, reason));
    return shop + " is disconnected from " + organizations(open);
  }

  /**
   * The connections in the order of their shops.
   *
   * @param closed whether with those that are disconnected
   * @throws SQLException when the ledger did not answer
   */
  public List<Shown> list(boolean closed) throws SQLException {
    return ledger.run(LIST, new Listing(closed, null));
  }

  private static String organizations(List<Shown> connections) {
    return connections.stream()
        .map(each -> each.organizationId())
        .distinct()
        .collect(Collectors.joining(" and "));
  }
}
