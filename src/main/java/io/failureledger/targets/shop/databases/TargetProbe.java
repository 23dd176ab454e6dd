package io.failureledger.targets.shop.databases;

import io.failureledger.fault.Fault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Signs in to a target and looks whether events can be written there. Changes nothing. */
public final class TargetProbe {
  private static final String LOOK =
      """
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_user as username, current_schema() as schema,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
        current_schema() is not null and has_schema_privilege(current_schema(), 'create') as may_create,
        pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as read_only""";

  private TargetProbe() {}

  /** What came of it. */
  public enum State {
    /** Events can be written there. */
    USABLE,
    /** It answers, and no event can be written there. */
    UNUSABLE,
    /** It answers, and refuses the sign-in. */
    REFUSED,
    /** It does not answer. */
    UNREACHABLE
  }

  /**
   * What was found.
   *
   * @param words one sentence each, a line each
   */
  public record Found(String organizationId, State state, String words) {}

  /** Signs in within the limits of an instance. Whatever goes wrong is what was found. */
  public static Found of(TargetDatabase target, TargetLimits limits) {
    long begun = System.nanoTime();
    try (TargetPools pools = new TargetPools(limits)) {
      return pools.with(
          target,
          connection -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            return look(target, connection, millis);
          });
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      boolean answers = state.startsWith("28") || state.equals("3D000") || state.equals("42501");
      return new Found(
          target.organizationId(),
          answers || Fault.ofTarget(e) != Fault.AWAY ? State.REFUSED : State.UNREACHABLE,
          target + (answers ? " refuses the sign-in: " : " cannot be used: ") + e.getMessage());
    }
  }

  private static Found look(TargetDatabase target, Connection connection, long millis)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LOOK)) {
      row.next();
      String schema = row.getString("schema");
      List<String> words = new ArrayList<>();
      words.add(
          "%s answers in %d ms: PostgreSQL %s, signed in as %s, %s."
              .formatted(
                  target,
                  millis,
                  row.getString("version"),
                  row.getString("username"),
                  row.getBoolean("encrypted") ? "encrypted" : "not encrypted"));
      State state = State.USABLE;
      if (!row.getString("encoding").equals("UTF8")) {
        words.add(
            "Its encoding is "
                + row.getString("encoding")
                + ", which cannot hold every text; UTF8 is needed.");
        state = State.UNUSABLE;
      }
      if (row.getBoolean("read_only")) {
        words.add("It is read-only: nothing can be written.");
        state = State.UNUSABLE;
      }
      if (schema == null) {
        words.add("No schema of its search_path exists, so no table can be found.");
        state = State.UNUSABLE;
      } else if (row.getBoolean("may_create")) {
        words.add("Absent tables are created in its schema " + schema + ".");
      } else {
        words.add(
            "This user may not create tables in its schema "
                + schema
                + ": absent ones must be created by their owner.");
      }
      return new Found(target.organizationId(), state, String.join("\n", words));
    }
  }
}
