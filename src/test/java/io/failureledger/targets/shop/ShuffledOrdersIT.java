package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.targets.shop.databases.TargetDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many versions of some orders, shuffled, three times each, by threads at once. {@code
 * -Dshop.events=100000} sends more of them, {@code -Dshop.seed=7} another shuffle.
 */
class ShuffledOrdersIT extends SnapshotsOnPostgres {
  private static final int EVENTS = Integer.getInteger("shop.events", 2_000);
  private static final int ORDERS = EVENTS / 20;
  private static final int THREADS = 4;

  private final Random random = new Random(Long.getLong("shop.seed", 1));
  private final OrderVersions versions = new OrderVersions(EVENTS, random);

  private List<Snapshot> events() {
    List<Snapshot> events = new ArrayList<>();
    for (OrderVersions.Version version : versions.all()) {
      Map<String, Object> headers =
          version.triggeredAt() == null
              ? headers(version.topic(), SHOP)
              : headers(version.topic(), SHOP, version.triggeredAt());
      events.add(Bodies.snapshot(version.body().getBytes(UTF_8), headers));
    }
    return events;
  }

  private static Map<Long, String> atTheTarget() throws Exception {
    try (Connection connection = target.getConnection()) {
      return OrderVersions.at(connection);
    }
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
    assertThat(atTheTarget()).isEqualTo(versions.newest());
  }

  @Test
  void theNewestIsWrittenAgainAsWritten() throws Exception {
    List<Snapshot> once = events();
    SnapshotWriter writer = new SnapshotWriter(targets, Bodies.TOLERANCE);
    writer.write(targets.find(SHOP), once);
    assertThat(atTheTarget()).isEqualTo(versions.newest());
    List<Snapshot> last = once.subList(once.size() - ORDERS, once.size());
    assertThat(writer.write(targets.find(SHOP), last)).containsOnly(SnapshotWriter.Result.WRITTEN);
    assertThat(atTheTarget()).isEqualTo(versions.newest());
  }
}
