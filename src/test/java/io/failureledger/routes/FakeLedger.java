package io.failureledger.routes;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The ledger as Java asks it. Answers as a test says: with these records, or with rows as those of
 * {@link LedgerMock}, which notes each call among the others; by default with no rows.
 */
final class FakeLedger implements Ledger {
  private record Asked(String statement, Record values) {}

  private interface Answer {
    List<? extends Record> rows() throws SQLException;
  }

  private final LedgerMock mock;
  private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  FakeLedger(LedgerMock mock) {
    this.mock = mock;
  }

  /** The next call of the statement that has no answer yet finds these rows. */
  void answer(String statement, Record... rows) {
    next(statement, () -> List.of(rows));
  }

  /** The next call of the statement that has no answer yet fails like this. */
  void fail(String statement, SQLException exception) {
    next(
        statement,
        () -> {
          throw exception;
        });
  }

  /** The values of each call of the statement. */
  List<Record> asked(String statement) {
    return asked.stream()
        .filter(one -> one.statement().equals(statement))
        .map(Asked::values)
        .toList();
  }

  private void next(String statement, Answer answer) {
    answers.computeIfAbsent(statement, name -> new ArrayDeque<>()).add(answer);
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized <V extends Record, R extends Record> List<R> run(
      Statement<V, R> statement, V values) throws SQLException {
    asked.add(new Asked(statement.name(), values));
    Queue<Answer> waiting = answers.get(statement.name());
    if (waiting != null && !waiting.isEmpty()) {
      mock.note(statement.name(), Statement.values(values));
      return (List<R>) waiting.poll().rows();
    }
    return mock.rows(statement.name(), Statement.values(values)).stream()
        .map(statement::row)
        .toList();
  }
}
