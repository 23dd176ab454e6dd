package io.failureledger.routes;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.SqlFile;
import io.failureledger.ledger.Statement;
import java.sql.SQLException;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.component.mock.MockEndpoint;

/**
 * The ledger as routes ask it, behind {@code mock:jdbc:ledger}, and as Java asks it. It notes each
 * statement, and answers as a test says; by default with no rows, and a parked event with its row.
 * What comes through Camel it knows by the text.
 */
final class LedgerMock implements Ledger {
  /** One statement as it arrived. */
  record Call(String statement, Map<String, Object> parameters) {}

  private interface Answer {
    List<Map<String, Object>> rows() throws SQLException;
  }

  private static final List<String> STATEMENTS =
      List.of(
          "failed_event/park-event",
          "failed_event/park-ordered-event",
          "ordered_event/advance-subjects",
          "ordered_event/find-blocked-subjects",
          "ordered_event/find-waiting-subjects",
          "ordered_event/hold-overtaking-events",
          "ordered_event/release-feeds",
          "failed_event/park-drained-event",
          "failed_event/claim-due",
          "failed_event/renew-leases",
          "failed_event/settle-outcomes",
          "failed_event/claim-dead-letters",
          "failed_event/clear-dead-letter-mark",
          "backfill_user/collect-user",
          "backfill_user/claim-users",
          "backfill_user/mark-requested",
          "backfill_user/postpone-users");

  private final Map<String, String> nameByText = new HashMap<>();
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Call> calls = new CopyOnWriteArrayList<>();

  LedgerMock() {
    STATEMENTS.forEach(name -> nameByText.put(SqlFile.read(name), name));
  }

  void answer(MockEndpoint jdbc) {
    jdbc.whenAnyExchangeReceived(this::run);
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  List<String> statements() {
    return calls.stream().map(Call::statement).toList();
  }

  /** The parameters of the one call of this statement. */
  Map<String, Object> parametersOf(String statement) {
    List<Call> all = calls.stream().filter(call -> call.statement().equals(statement)).toList();
    if (all.size() != 1) {
      throw new AssertionError(statement + " ran " + all.size() + " times: " + statements());
    }
    return all.get(0).parameters();
  }

  /** The next call of the statement that has no answer yet finds these rows. */
  void finds(String statement, List<Map<String, Object>> rows) {
    next(statement, () -> rows);
  }

  /** The next call of the statement that has no answer yet fails with this SQLSTATE. */
  void fails(String statement, String sqlState) {
    next(
        statement,
        () -> {
          throw new SQLException("the mocked ledger says " + sqlState, sqlState);
        });
  }

  private void next(String statement, Answer answer) {
    answers.computeIfAbsent(statement, name -> new ConcurrentLinkedDeque<>()).add(answer);
  }

  @Override
  public <V extends Record, R extends Record> List<R> run(Statement<V, R> statement, V values)
      throws SQLException {
    return run(statement.name(), Statement.values(values)).stream().map(statement::row).toList();
  }

  private void run(Exchange exchange) throws SQLException {
    String statement = nameByText.get(exchange.getMessage().getBody(String.class));
    Map<?, ?> parameters = exchange.getMessage().getHeader("CamelJdbcParameters", Map.class);
    Map<String, Object> copy = new HashMap<>();
    parameters.forEach((name, value) -> copy.put((String) name, value));
    exchange.getMessage().setBody(run(statement, copy));
  }

  private List<Map<String, Object>> run(String statement, Map<String, Object> parameters)
      throws SQLException {
    calls.add(new Call(statement, parameters));
    Deque<Answer> waiting = answers.get(statement);
    Answer answer = waiting == null ? null : waiting.poll();
    if (answer != null) {
      return answer.rows();
    }
    return statement.contains("/park-") ? List.of(parked(parameters)) : List.of();
  }

  private static Map<String, Object> parked(Map<String, Object> row) {
    Object status = row.get("status");
    return Map.of(
        "id",
        1L,
        "event_id",
        row.get("event_id"),
        "status",
        status,
        "occurrences",
        1,
        "failed_now",
        status.equals("failed"));
  }
}
