package io.failureledger.targets.shop;

import io.failureledger.handler.MissingTargetException;
import io.failureledger.targets.shop.TargetTable.Column;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetDatabase;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first event of each table would change at a target. It looks only, in a transaction that
 * is read-only, and as {@link TableSchema} looks before it writes.
 */
public final class ShopPlan {

  private final ShopTables tables;
  private final ShopTargets targets;

  /**
   * @param ledger the application database, where the shops' records are
   */
  public ShopPlan(ShopTables tables, ShopTargets targets) {
    this.tables = tables;
    this.targets = targets;
  }

  /** How a table at a target compares with its description. */
  public enum State {
    AS_DESCRIBED,
    ABSENT,
    LACKS_COLUMNS,
    INCOMPATIBLE
  }

  /**
   * A table's part of the plan.
   *
   * @param added columns that would be added, as {@code sku text}; of an absent table, none
   * @param incompatible sentences about what a person has to correct first
   * @param madeThere columns that the target makes itself, and that are not written
   */
  public record Table(
      String name,
      State state,
      List<String> added,
      List<String> incompatible,
      List<String> madeThere) {}

  /**
   * The plan of one target.
   *
   * @param target which one, in words and without a secret
   */
  public record Plan(String target, List<Table> tables) {
    /** Whether a person has to correct something. */
    public boolean isIncompatible() {
      return tables.stream().anyMatch(table -> table.state() == State.INCOMPATIBLE);
    }
  }

  /**
   * The plan of a shop's target.
   *
   * @throws MissingTargetException the shop is unknown, or a record of it is missing
   * @throws SQLException the ledger's or the target's
   */
  public Plan ofShop(String shopDomain) throws SQLException {
    return of(targets.find(shopDomain));
  }

  /**
   * The plan of a target.
   *
   * @throws SQLException the target's
   */
  public Plan of(TargetDatabase database) throws SQLException {
    return targets.write(
        database,
        connection ->
            Transaction.of(
                connection,
                looking -> {
                  try (Statement statement = looking.createStatement()) {
                    statement.execute("set transaction read only");
                  }
                  List<Table> all = new ArrayList<>();
                  for (ShopTable table : tables.all()) {
                    for (TableDifference one : TableSchema.differences(looking, table)) {
                      all.add(table(one));
                    }
                  }
                  return new Plan(database.toString(), all);
                }));
  }

  private static Table table(TableDifference difference) {
    List<String> added =
        difference.absent()
            ? List.of()
            : difference.missing().stream().map(ShopPlan::definition).toList();
    State state = State.AS_DESCRIBED;
    if (!difference.incompatible().isEmpty()) {
      state = State.INCOMPATIBLE;
    } else if (difference.absent()) {
      state = State.ABSENT;
    } else if (!added.isEmpty()) {
      state = State.LACKS_COLUMNS;
    }
    return new Table(
        difference.table().name(),
        state,
        added,
        difference.incompatible(),
        difference.madeThere().stream().sorted().toList());
  }

  private static String definition(Column column) {
    return column.name() + " " + column.type().sql();
  }
}
