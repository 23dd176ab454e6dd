package io.failureledger.targets.shop;

import io.failureledger.fault.Fault;
import io.failureledger.handler.MissingTargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The records shop_connection, target_database and target_credential, read afresh on every call.
 */
final class TargetRecords {
  private static final ShopSqlFile FIND_TARGET =
      ShopSqlFile.load("sql/shop_connection/find-target.sql");

  private final DataSource ledger;

  private record Row(
      long connection,
      String organization,
      Long database,
      String url,
      String user,
      String password) {}

  TargetRecords(DataSource ledger) {
    this.ledger = ledger;
  }

  /**
   * The one target of a shop.
   *
   * @throws MissingTargetException naming the shop and the record that is missing or doubled
   * @throws SQLException the ledger could not be asked
   */
  TargetDatabase find(String shop) throws SQLException {
    List<Row> rows = ask(shop);
    if (rows.isEmpty()) {
      throw new MissingTargetException("Shop " + shop + " has no open record in shop_connection.");
    }
    if (rows.size() > 1) {
      String all =
          rows.stream()
              .map(r -> r.connection() + " of organization " + r.organization())
              .collect(Collectors.joining(", "));
      throw new MissingTargetException(
          "Shop "
              + shop
              + " has several open records in shop_connection, and exactly one is needed: "
              + all
              + ".");
    }
    Row row = rows.get(0);
    String lacks =
        "Shop "
            + shop
            + " belongs to organization "
            + row.organization()
            + ", which has no record in ";
    if (row.database() == null) {
      throw new MissingTargetException(lacks + "target_database.");
    }
    if (row.user() == null) {
      throw new MissingTargetException(
          lacks + "target_credential for its target database " + row.database() + ".");
    }
    return new TargetDatabase(
        row.database(), row.organization(), row.url(), row.user(), row.password());
  }

  private List<Row> ask(String shop) throws SQLException {
    try (Connection connection = ledger.getConnection();
        PreparedStatement find = FIND_TARGET.prepare(connection, Map.of("shop_domain", shop));
        ResultSet row = find.executeQuery()) {
      List<Row> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(
            new Row(
                row.getLong("connection_id"),
                row.getString("organization_id"),
                row.getObject("database_id", Long.class),
                row.getString("jdbc_url"),
                row.getString("username"),
                row.getString("password")));
      }
      return rows;
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
