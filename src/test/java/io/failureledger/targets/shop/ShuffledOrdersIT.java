package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.orderOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.targets.shop.databases.TargetDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many versions of some orders, shuffled, three times each, by threads at once. {@code
 * -Dshop.events=100000} sends more of them, {@code -Dshop.seed=7} another shuffle.
 */
class ShuffledOrdersIT extends SnapshotsOnPostgres {
  private static final int EVENTS = Integer.getInteger("shop.events", 2_000);
  private static final int ORDERS = Math.max(1, EVENTS / 20);
  private static final int THREADS = 4;
  private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");

  private final Random random = new Random(Long.getLong("shop.seed", 1));

  /** What a row and its line items are to be, as text. */
  private final Map<Long, String> newest = new TreeMap<>();

  private List<Snapshot> events() {
    List<Snapshot> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      long order = i % ORDERS;
      int version = i / ORDERS;
      String time = START.plusSeconds(version).toString();
      if (order % 7 == 0 && version == EVENTS / ORDERS - 1) {
        events.add(Bodies.snapshot(Bodies.id(order), headers("orders/delete", SHOP, time)));
        newest.put(order, "deleted: ");
      } else {
        List<Long> items =
            LongStream.range(0, 12).filter(item -> random.nextBoolean()).boxed().toList();
        events.add(
            Bodies.snapshot(orderOf(order, time, version, items), headers("orders/updated", SHOP)));
        newest.put(
            order,
            version
                + ".00: "
                + items.stream()
                    .map(item -> item + " " + version + ".00")
                    .collect(Collectors.joining(",")));
      }
    }
    return events;
  }

  private Map<Long, String> atTheTarget() throws Exception {
    Map<Long, String> rows = new TreeMap<>();
    try (Connection connection = target.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select o.id, case when o.deleted_at is null then o.total_price::text else 'deleted' end || ': '
                  || coalesce((select string_agg(i.id || ' ' || i.price, ',' order by i.id)
                               from order_line_items i
                               where i.shop_domain = o.shop_domain and i.order_id = o.id), '')
                from orders o""")) {
      while (row.next()) {
        rows.put(row.getLong(1), row.getString(2));
      }
    }
    return rows;
  }

  @ParameterizedTest(name = "in lists of {0}")
  @ValueSource(ints = {1, 25})
  void eachOrderEndsAsItsNewestSnapshotWithExactlyItsLineItems(int size) throws Exception {
    List<Snapshot> all = new ArrayList<>();
    List<Snapshot> once = events();
    for (int time = 0; time < 3; time++) {
      Collections.shuffle(once, random);
      all.addAll(once);
    }
    SnapshotWriter writer = new SnapshotWriter(targets, Bodies.TOLERANCE);
    TargetDatabase database = targets.find(SHOP);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int from = 0; from < all.size(); from += size) {
        List<Snapshot> list = all.subList(from, Math.min(all.size(), from + size));
        done.add(threads.submit(() -> writer.write(database, list)));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(atTheTarget()).isEqualTo(newest);
  }

  @Test
  void theNewestIsWrittenAgainAsWritten() throws Exception {
    List<Snapshot> once = events();
    SnapshotWriter writer = new SnapshotWriter(targets, Bodies.TOLERANCE);
    writer.write(targets.find(SHOP), once);
    assertThat(atTheTarget()).isEqualTo(newest);
    List<Snapshot> last = once.subList(once.size() - ORDERS, once.size());
    assertThat(writer.write(targets.find(SHOP), last)).containsOnly(SnapshotWriter.Result.WRITTEN);
    assertThat(atTheTarget()).isEqualTo(newest);
  }
}
