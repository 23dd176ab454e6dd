package io.failureledger.routes;

import io.failureledger.ledger.SqlFile;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.component.mock.MockEndpoint;

/**
 * The ledger behind {@code mock:jdbc:ledger}: knows the statements by their text, notes each call,
 * and answers as a test says; by default with no rows, and a parked event with its row.
 */
final class LedgerMock {
  /** One statement as it arrived. */
  record Call(String statement, Map<String, Object> parameters) {}

  /** What a statement comes to. */
  private interface Answer {
    List<Map<String, Object>> rows() throws SQLException;
  }

  private static final List<String> STATEMENTS =
      List.of(
          "breaker/list-breakers",
          "breaker/count-failure",
          "breaker/open-breaker",
          "breaker/close-breaker",
          "breaker/fail-probe",
          "breaker/probe-consuming",
          "failed_event/claim-probe",
          "failed_event/release-held",
          "failed_event/release-row",
          "failed_event/count-unresolved",
          "failed_event/count-states",
          "failed_event/find-unconfigured-feeds",
          "feed_control/set-paused",
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
    answers.computeIfAbsent(statement, name -> new ArrayDeque<>()).add(answer);
  }

  private void run(Exchange exchange) throws Exception {
    String statement = nameByText.get(exchange.getMessage().getBody(String.class));
    Map<?, ?> parameters = exchange.getMessage().getHeader("CamelJdbcParameters", Map.class);
    Map<String, Object> copy = new HashMap<>();
    parameters.forEach((name, value) -> copy.put((String) name, value));
    exchange.getMessage().setBody(rows(statement, copy));
  }

  /** The statement arrived. */
  void note(String statement, Map<String, Object> parameters) {
    calls.add(new Call(statement, parameters));
  }

  /** The statement arrived and is answered, whoever asks. */
  List<Map<String, Object>> rows(String statement, Map<String, Object> parameters)
      throws SQLException {
    note(statement, parameters);
    Deque<Answer> waiting = answers.get(statement);
    if (waiting != null && !waiting.isEmpty()) {
      return waiting.poll().rows();
    } else if (statement.contains("/park-")) {
      return List.of(parked(parameters));
    } else if (statement.equals("ordered_event/release-feeds")) {
      return List.of(Map.of("looked", 0L, "due", 0L));
    }
    return List.of();
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
