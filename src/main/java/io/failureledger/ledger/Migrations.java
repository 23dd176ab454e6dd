package io.failureledger.ledger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.output.MigrateResult;

/**
 * The ledger's tables, made and changed by the files under db/migration. Each file is one
 * transaction: a crash leaves it applied or not, never half. A repeat applies what is missing and
 * nothing else; two processes at once wait for each other. The schema may hold other tables.
 */
public final class Migrations {

  private static final String HISTORY = "failure_ledger_history";

  private final Flyway flyway;
  private final DataSource dataSource;

  /** Works on this database, in its connections' default schema. */
  public Migrations(DataSource dataSource) {
    this.dataSource = dataSource;
    this.flyway =
        Flyway.configure()
            .dataSource(dataSource)
            .locations("classpath:db/migration")
            .table(HISTORY)
            // the ledger may live beside an application's tables: their presence is no reason to
            // refuse
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .cleanDisabled(true)
            .load();
  }

  /**
   * Applies what is missing and returns the versions applied, in order; empty when nothing was
   * missing.
   *
   * @throws LedgerRefusedException when a migration fails or was changed after it was applied
   */
  public List<String> migrate() {
    if (!pending().isEmpty()) {
      requireCreate();
    }
    try {
      MigrateResult result = flyway.migrate();
      return result.migrations.stream()
          .map(applied -> applied.version + " " + applied.description)
          .toList();
    } catch (FlywayException e) {
      throw refused("the ledger's tables could not be brought up to date", e);
    }
  }

  /**
   * The versions that are missing, in order. Changes nothing.
   *
   * @throws LedgerRefusedException when the history cannot be read
   */
  public List<String> pending() {
    try {
      return Arrays.stream(flyway.info().pending())
          .map(MigrationInfo::getVersion)
          .map(String::valueOf)
          .toList();
    } catch (FlywayException e) {
      throw refused("the history of the ledger's tables (" + HISTORY + ") could not be read", e);
    }
  }

  /** Asked beforehand: Flyway itself tries for ten seconds and then says less. */
  private void requireCreate() {
    String query =
        "select current_user, current_schema(), has_schema_privilege(current_schema(), 'create')";
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      if (!row.getBoolean(3)) {
        throw new LedgerRefusedException(
            "the user "
                + row.getString(1)
                + " may not create tables in the schema "
                + row.getString(2)
                + " of the ledger; grant it, or run failure-ledger migrate as a"
                + " user who may and set ledger.migrate=false.",
            null);
      }
    } catch (SQLException e) {
      throw refused("the ledger's tables could not be brought up to date", e);
    }
  }

  private static LedgerRefusedException refused(String what, Exception e) {
    String state = LedgerFault.state(e);
    String hint =
        switch (state) {
          case "42501" ->
              "; grant the privilege, or run migrate as the tables' owner and set ledger.migrate=false.";
          case "25006" -> "; the server is read-only: point ledger.url at the primary.";
          default -> ".";
        };
    return new LedgerRefusedException(
        what + ": " + LedgerFault.message(e) + (state.isEmpty() ? "" : " [" + state + "]") + hint,
        e);
  }
}
