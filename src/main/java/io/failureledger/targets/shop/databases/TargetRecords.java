package io.failureledger.targets.shop.databases;

import io.failureledger.fault.Fault;
import io.failureledger.handler.MissingTargetException;
import io.failureledger.ledger.JdbcLedger;
import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The records shop_connection, target_database and target_credential, read afresh on every call.
 */
public final class TargetRecords {
  private static final Statement<Shop, Row> FIND_TARGET =
      Statement.of("shop_connection/find-target", Shop.class, Row.class);

  private static final Statement<Shop, EverRow> FIND_EVER =
      Statement.of("shop_connection/find-targets-ever", Shop.class, EverRow.class);

  private final Ledger ledger;

  private record Shop(String shopDomain) {}

  private record Row(
      long connectionId,
      String organizationId,
      Long databaseId,
      String jdbcUrl,
      String username,
      String password,
      String reference) {}

  private record EverRow(
      String organizationId,
      Long databaseId,
      String jdbcUrl,
      String username,
      String password,
      String reference) {}

  /**
   * The target of an organization that a shop is or was connected to.
   *
   * @param database null when it cannot be signed in to
   * @param lacking why not, in a sentence; null when it can
   */
  public record Ever(String organizationId, TargetDatabase database, String lacking) {}

  TargetRecords(DataSource ledger) {
    this.ledger = new JdbcLedger(ledger);
  }

  /**
   * The one target of a shop, with the password that this process reads.
   *
   * @throws MissingTargetException naming the shop and the record that is missing or doubled
   * @throws SQLException the ledger could not be asked
   */
  TargetDatabase find(String shop) throws SQLException {
    List<Row> rows = ask(shop);
    if (rows.isEmpty()) {
      throw new NoShopConnectionException(
          "Shop " + shop + " has no open record in shop_connection.");
    }
    if (rows.size() > 1) {
      String all =
          rows.stream()
              .map(r -> r.connectionId() + " of organization " + r.organizationId())
              .collect(Collectors.joining(", "));
      throw new SeveralShopConnectionsException(
          "Shop "
              + shop
              + " has several open records in shop_connection, and exactly one is needed: "
              + all
              + ".");
    }
    Row row = rows.get(0);
    String owner = "Shop " + shop + " belongs to organization " + row.organizationId() + ", which ";
    if (row.databaseId() == null) {
      throw new NoTargetDatabaseException(owner + "has no record in target_database.");
    }
    if (row.username() == null) {
      throw new NoTargetCredentialException(
          owner
              + "has no record in target_credential for its target database "
              + row.databaseId()
              + ".");
    }
    try {
      return new TargetDatabase(
          row.databaseId(),
          row.organizationId(),
          row.jdbcUrl(),
          row.username(),
          new Credential(row.reference(), row.password()).read());
    } catch (IOException e) {
      throw new NoTargetCredentialException(
          owner + "has its password in " + row.reference() + ", but " + e.getMessage() + ".");
    }
  }

  /** The targets of all organizations that the shop is or was connected to. */
  List<Ever> ever(String shop) throws SQLException {
    List<Ever> all = new ArrayList<>();
    for (EverRow row : ledger.run(FIND_EVER, new Shop(shop))) {
      try {
        String lacking =
            row.databaseId() == null
                ? "has no record in target_database"
                : row.username() == null ? "has no record in target_credential" : null;
        all.add(
            new Ever(
                row.organizationId(),
                lacking != null
                    ? null
                    : new TargetDatabase(
                        row.databaseId(),
                        row.organizationId(),
                        row.jdbcUrl(),
                        row.username(),
                        new Credential(row.reference(), row.password()).read()),
                lacking));
      } catch (IOException e) {
        all.add(new Ever(row.organizationId(), null, e.getMessage()));
      }
    }
    return all;
  }

  private List<Row> ask(String shop) throws SQLException {
    try {
      return ledger.run(FIND_TARGET, new Shop(shop));
    } catch (SQLException e) {
      String said =
          "The ledger could not be asked for the target of shop " + shop + ": " + e.getMessage();
      // What is a ledger's being away may be an ordinary failure of a target, and none of the
      // event.
      throw Fault.ofLedger(e) == Fault.AWAY
          ? new SQLTransientConnectionException(said, e.getSQLState(), e)
          : new SQLException(said, e.getSQLState(), e);
    }
  }
}
