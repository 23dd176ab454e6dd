package io.failureledger.bench;

import io.failureledger.settings.Settings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shipped claim and settle on one connection and nothing else: no Camel, no lease watch, no
 * envelope. Batches and slices are the product's.
 */
final class BareLoop implements AutoCloseable {
  /** A claimed row. */
  record Row(long id, long token, long dueMicros, String eventId, String headers, byte[] body) {}

  /** What is done with the rows of a claim before they are settled. */
  interface Work {
    void on(List<Row> claimed) throws Exception;
  }

  private final int batch;
  private final int slice;
  private final Map<String, Object> claimed = new HashMap<>();
  private final NamedStatement claim;
  private final NamedStatement settle;

  BareLoop(Connection connection, Settings settings, String feed) throws SQLException {
    batch = settings.integer("replay.batch.size");
    slice = settings.integer("replay.slice.size");
    claim = NamedStatement.ofFile(connection, "failed_event/claim-due");
    settle = NamedStatement.ofFile(connection, "failed_event/settle-outcomes");
    claimed.putAll(claimParameters(feed, batch));
  }

  static Map<String, Object> claimParameters(String feed, int batch) {
    return Map.of(
        "feed",
        feed,
        "limit",
        batch,
        "owner",
        "bare",
        "lease",
        120.0,
        "bytes",
        64L << 20,
        "after_due",
        0L,
        "after_id",
        0L);
  }

  /** Claims, works and settles until nothing is due. */
  void drain(Work work) throws Exception {
    List<Row> rows = claim();
    while (!rows.isEmpty()) {
      work.on(rows);
      for (int from = 0; from < rows.size(); from += slice) {
        settle(rows.subList(from, Math.min(rows.size(), from + slice)));
      }
      rows = claim();
    }
  }

  /**
   * One claim and its settles.
   *
   * @return how long the claim took, in nanoseconds
   */
  long step() throws SQLException {
    long start = System.nanoTime();
    List<Row> rows = claim();
    long took = System.nanoTime() - start;
    if (!rows.isEmpty()) {
      settle(rows);
    }
    return took;
  }

  private List<Row> claim() throws SQLException {
    List<Row> rows = new ArrayList<>(batch);
    try (ResultSet found = claim.with(claimed).executeQuery()) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        for (int column = 1; column <= columns; column++) {
          found.getObject(column);
        }
        rows.add(
            new Row(
                found.getLong("id"),
                found.getLong("lease_token"),
                found.getLong("due_micros"),
                found.getString("event_id"),
                found.getString("headers"),
                found.getBytes("body")));
      }
    }
    goOnAfter(rows);
    return rows;
  }

  /** As the product does: a full claim is gone on from where it ended. */
  private void goOnAfter(List<Row> rows) {
    Row last = rows.size() < batch ? null : rows.get(rows.size() - 1);
    claimed.put("after_due", last == null ? 0L : last.dueMicros());
    claimed.put("after_id", last == null ? 0L : last.id());
  }

  private void settle(List<Row> rows) throws SQLException {
    int size = rows.size();
    String[] outcomes = new String[size];
    Arrays.fill(outcomes, "resolve");
    Map<String, Object> outcome = new HashMap<>();
    outcome.put("ids", rows.stream().mapToLong(Row::id).toArray());
    outcome.put("tokens", rows.stream().mapToLong(Row::token).toArray());
    outcome.put("outcomes", outcomes);
    outcome.put("delays", new double[size]);
    for (String empty :
        List.of("reasons", "targets", "error_types", "error_classes", "error_messages")) {
      outcome.put(empty, new String[size]);
    }
    outcome.put("durations", new long[size]);
    outcome.put("dead_letters", new boolean[size]);
    int[] histories = new int[size];
    Arrays.fill(histories, 20);
    outcome.put("histories", histories);
    outcome.put("instance", "bare");
    int written = 0;
    try (ResultSet settled = settle.with(outcome).executeQuery()) {
      while (settled.next()) {
        written++;
      }
    }
    if (written != size) {
      throw new IllegalStateException(written + " of " + size + " outcomes were written");
    }
  }

  @Override
  public void close() throws SQLException {
    claim.close();
    settle.close();
  }
}
