package io.failureledger.targets.shop;

import io.failureledger.fault.Fault;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetDatabase;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Writes snapshots to a target, one or many in one transaction: all of them or, on a failure or a
 * crash, none. A repeat writes the same values again. A snapshot older than the stored one changes
 * nothing.
 *
 * <p>A parent's guarded statement locks its row until the transaction ends, and only then its
 * children are written. Each statement of a READ COMMITTED transaction sees what was committed
 * before it began. So the children are compared with those of the row that was locked, and of two
 * writers of one order the second sees all that the first wrote. In one statement both parts would
 * see the children from before the wait for the lock.
 */
final class SnapshotWriter {
  private static final int TRIES = 3;

  private final ShopTargets targets;

  /** By the pool of their target, and forgotten with it. */
  private final Map<Object, KnownTables> known = Collections.synchronizedMap(new WeakHashMap<>());

  private final BigDecimal toleranceSeconds;

  /** What became of a snapshot. */
  enum Result {
    WRITTEN,
    SUPERSEDED
  }

  /** A snapshot, where it stands in the list, and the statements of its table there. */
  private record Job(int index, Snapshot snapshot, TableSql sql) {
    TableSql.Statement statement() {
      return snapshot.deleted() ? sql.tombstone() : sql.upsert();
    }
  }

  /** A statement and its values. */
  private record Call(TableSql.Statement statement, Map<String, Object> values) {}

  /**
   * @param tolerance a stored time further ahead of the target's clock loses
   */
  SnapshotWriter(ShopTargets targets, Duration tolerance) {
    this.targets = targets;
    this.toleranceSeconds = BigDecimal.valueOf(tolerance.toMillis(), 3);
  }

  /**
   * Writes the snapshots of any shops and tables of one target. Those of one key are compared in
   * the order of the list, as if each came alone; an exact repeat counts as written.
   *
   * <p>Absent tables and columns are made before. A deadlock, serialization failure or lock
   * time-out is tried three times in place, a few milliseconds apart.
   *
   * @return what became of each, in the order of the list
   * @throws IncompatibleColumnException a table at the target is not as its description says
   * @throws SQLException the target's: it is unreachable, refuses the sign-in, refuses a value, or
   *     contention outlasted three tries
   */
  List<Result> write(TargetDatabase database, List<Snapshot> snapshots) throws SQLException {
    if (snapshots.isEmpty()) {
      return List.of();
    }
    return targets.write(database, connection -> tried(connection, known(database), snapshots));
  }

  private KnownTables known(TargetDatabase database) {
    return known.computeIfAbsent(targets.pool(database), pool -> new KnownTables());
  }

  private List<Result> tried(Connection connection, KnownTables known, List<Snapshot> snapshots)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return writeAsKnown(connection, known, snapshots);
      } catch (SQLException e) {
        if (attempt == TRIES || Fault.ofTarget(e) != Fault.CONFLICT) {
          throw e;
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000, 10_000_000));
      }
    }
  }

  /** A table may have been changed since it was looked at: it is looked at once more. */
  private List<Result> writeAsKnown(
      Connection connection, KnownTables known, List<Snapshot> snapshots) throws SQLException {
    try {
      return write(connection, known, snapshots);
    } catch (SQLException e) {
      if (!KnownTables.mayBeOutdated(e)) {
        throw e;
      }
      snapshots.forEach(snapshot -> known.forget(snapshot.table()));
      return write(connection, known, snapshots);
    }
  }

  private List<Result> write(Connection connection, KnownTables known, List<Snapshot> snapshots)
      throws SQLException {
    Map<String, TableSql> sql = new HashMap<>();
    for (Snapshot snapshot : snapshots) {
      if (!sql.containsKey(snapshot.table().name())) {
        sql.put(snapshot.table().name(), known.of(snapshot.table(), connection));
      }
    }
    // In the order of tables and keys, so that two writers never wait for each other; those of one
    // key stay in the order of the list.
    List<Job> jobs =
        IntStream.range(0, snapshots.size())
            .mapToObj(i -> new Job(i, snapshots.get(i), sql.get(snapshots.get(i).table().name())))
            .sorted(ORDER)
            .toList();
    Set<Integer> written = new HashSet<>();
    if (jobs.size() == 1 && !snapshots.get(0).hasChildren()) {
      // One statement needs no transaction around it, nor the two round trips of one.
      writeParents(connection, jobs, written);
    } else {
      Transaction.of(
          connection,
          all -> {
            written.clear();
            writeParents(all, jobs, written);
            writeChildren(all, jobs, written);
            return null;
          });
    }
    return IntStream.range(0, snapshots.size())
        .mapToObj(i -> written.contains(i) ? Result.WRITTEN : Result.SUPERSEDED)
        .toList();
  }

  private void writeParents(Connection connection, List<Job> jobs, Set<Integer> written)
      throws SQLException {
    List<Call> calls = new ArrayList<>(jobs.size());
    for (Job job : jobs) {
      Map<String, Object> values = job.snapshot().parameters();
      values.put(TableSql.TOLERANCE, toleranceSeconds);
      calls.add(new Call(job.statement(), values));
    }
    int[] counts = execute(connection, calls);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 || counts[i] == Statement.SUCCESS_NO_INFO) {
        written.add(jobs.get(i).index());
      }
    }
  }

  /** Of the parents that were written, whose rows are locked now. */
  private static void writeChildren(Connection connection, List<Job> jobs, Set<Integer> written)
      throws SQLException {
    Map<String, List<Call>> calls = new TreeMap<>();
    for (Job job : jobs) {
      Snapshot snapshot = job.snapshot();
      for (TableSql.Child child : job.sql().children()) {
        String name = child.table().name();
        if (written.contains(job.index())
            && (snapshot.deleted() || snapshot.items().containsKey(name))) {
          calls
              .computeIfAbsent(name, table -> new ArrayList<>())
              .add(
                  new Call(
                      snapshot.deleted() ? child.delete() : child.replace(),
                      snapshot.parameters(child.table())));
        }
      }
    }
    for (List<Call> ofOneTable : calls.values()) {
      execute(connection, ofOneTable);
    }
  }

  /** Runs of the same statement go to the target together; the counts of all calls. */
  private static int[] execute(Connection connection, List<Call> calls) throws SQLException {
    int[] counts = new int[calls.size()];
    int from = 0;
    while (from < calls.size()) {
      TableSql.Statement statement = calls.get(from).statement();
      int to = from;
      while (to < calls.size() && calls.get(to).statement() == statement) {
        to++;
      }
      int[] ofRun = executeRun(connection, statement, calls.subList(from, to));
      System.arraycopy(ofRun, 0, counts, from, ofRun.length);
      from = to;
    }
    return counts;
  }

  private static int[] executeRun(
      Connection connection, TableSql.Statement statement, List<Call> run) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      if (run.size() == 1) {
        statement.bind(prepared, run.get(0).values());
        return new int[] {prepared.executeUpdate()};
      }
      for (Call call : run) {
        statement.bind(prepared, call.values());
        prepared.addBatch();
      }
      return prepared.executeBatch();
    } catch (BatchUpdateException e) {
      // Its own message would tell the values, which are personal data; the target's does not.
      throw e.getNextException() == null ? e : e.getNextException();
    }
  }

  private static final Comparator<Job> ORDER =
      Comparator.comparing((Job job) -> job.snapshot().table().name())
          .thenComparing(job -> job.snapshot().shopDomain())
          .thenComparing(job -> job.snapshot().key(), SnapshotWriter::compareKeys)
          .thenComparing(Job::index);

  @SuppressWarnings("unchecked") // values of one column are of one type: numbers or texts
  private static int compareKeys(List<Object> one, List<Object> other) {
    for (int i = 0; i < one.size(); i++) {
      int order = ((Comparable<Object>) one.get(i)).compareTo(other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
