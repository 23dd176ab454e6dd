package io.failureledger.ledger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The rows of {@code failed_event} that wait for the breaker of their target: one of them probes
 * it, and all are made due once it closes.
 */
public final class HeldEvents {
  private static final Statement<ProbeAsked, TurnRow> CLAIM_PROBE =
      Statement.of("failed_event/claim-probe", ProbeAsked.class, TurnRow.class);
  private static final Statement<Release, RowId> RELEASE =
      Statement.of("failed_event/release-held", Release.class, RowId.class);
  private static final Statement<RowId, RowId> RELEASE_ROW =
      Statement.of("failed_event/release-row", RowId.class, RowId.class);

  private final Ledger ledger;

  public HeldEvents(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * The turn to probe a breaker.
   *
   * @param breaker as it is now: half-open
   * @param event leased; null when there is none to probe with
   */
  public record Turn(BreakerRows.Row breaker, ClaimedEvent event) {}

  private record ProbeAsked(
      String feed,
      String target,
      boolean wholeFeed,
      Duration probePeriod,
      String owner,
      Duration lease) {}

  private record TurnRow(
      String feed,
      BreakerRows.State state,
      BreakerRows.Cause cause,
      int failures,
      long version,
      Long openedMicros,
      String lastError,
      Long id,
      String eventId,
      Integer retryCount,
      Integer claims,
      Integer replays,
      Long leaseToken,
      String target,
      Boolean early,
      String source,
      String eventType,
      String shopDomain,
      String userId,
      String subject,
      Long sourceTimeMicros,
      Long receivedAtMicros,
      String orderingKey,
      byte[] key,
      String headers,
      byte[] body) {

    Turn turn(String breaker) {
      return new Turn(
          new BreakerRows.Row(
              feed,
              breaker,
              state,
              cause,
              failures,
              version,
              true,
              false,
              openedMicros,
              lastError,
              false),
          id == null
              ? null
              : new ClaimedEvent(
                  id,
                  feed,
                  eventId,
                  retryCount,
                  replays,
                  claims,
                  leaseToken,
                  target,
                  source,
                  eventType,
                  shopDomain,
                  userId,
                  subject,
                  sourceTimeMicros,
                  receivedAtMicros,
                  orderingKey,
                  key,
                  headers,
                  body,
                  null,
                  early));
    }
  }

  private record Release(
      String feed, String target, boolean wholeFeed, int limit, Duration spread) {}

  private record RowId(long id) {}

  /**
   * Takes the turn to probe a breaker, which one instance gets each period, and leases one event of
   * its target, due or not. A process that dies then leaves the event leased; another probes in the
   * next period.
   *
   * @param wholeFeed whether any event of the feed is a probe, whatever its target
   * @return empty when the turn is not to be had
   */
  public Optional<Turn> claimProbe(
      String feed,
      String target,
      boolean wholeFeed,
      Duration probePeriod,
      String owner,
      Duration lease)
      throws SQLException {
    return ledger
        .run(CLAIM_PROBE, new ProbeAsked(feed, target, wholeFeed, probePeriod, owner, lease))
        .stream()
        .findFirst()
        .map(row -> row.turn(target));
  }

  /**
   * Makes a batch of events due that waited for this breaker, but none that an instance has leased.
   *
   * @param wholeFeed whether all events of the feed waited for it, whatever their target
   * @param spread over which they come due
   * @return how many
   */
  public int release(String feed, String target, boolean wholeFeed, int limit, Duration spread)
      throws SQLException {
    return ledger.run(RELEASE, new Release(feed, target, wholeFeed, limit, spread)).size();
  }

  /** Makes this one due, if it waits for a breaker or a busy target. A repeat changes nothing. */
  public void release(long id) throws SQLException {
    ledger.run(RELEASE_ROW, new RowId(id));
  }
}
