package io.failureledger.distribution;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.Home;
import io.failureledger.scenario.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many events that are large, in a process whose heap would not hold them all. */
@Timeout(300)
class LargeEventsIT {
  private static final int EVENTS = 95;
  private static final int DEAD_LETTERS = 72;
  private static final int BYTES = 4_000_000;

  @Test
  void whatWaitsInMemoryIsBoundedByItsSize() throws Exception {
    Path home = Home.with("bulk", "consumer-graph");
    Files.createDirectory(home.resolve("bin"));
    Path shipped = Path.of("target/failure-ledger").toAbsolutePath();
    Files.createSymbolicLink(home.resolve("lib"), shipped.resolve("lib"));
    Files.copy(shipped.resolve("bin/failure-ledger"), home.resolve("bin/failure-ledger"));
    try (Plant plant = new Plant()) {
      Map<String, String> settings = plant.settings();
      settings.put("bulk.subscription", plant.name);
      try (RunningBundle bundle = new RunningBundle(settings).of(home, "256m")) {
        assertThat(bundle.start("migrate").awaitEnd()).isZero();
        markForDeadLetterTopic(plant);
        PubsubMessage large =
            PubsubMessage.newBuilder().setData(ByteString.copyFrom(new byte[BYTES])).build();
        plant.pubSub.publish(plant.topic, Collections.nCopies(EVENTS, large));
        bundle.start("run").awaitReady();
        await()
            .atMost(200, SECONDS)
            .failFast("memory ended", () -> bundle.output().contains("OutOfMemoryError"))
            .until(() -> unacknowledged(plant) == 0 && marked(plant) == 0);
        String metrics = bundle.get("/observe/metrics").body();
        assertThat(metrics)
            .containsPattern(
                "failure_ledger_events_delivered_total\\{[^}]*feed=\"bulk\"[^}]*\\} (9[5-9]|1..)\\.0")
            .doesNotContainPattern("failure_ledger_route_restarts_total\\{[^}]*\\} [1-9]");
        assertThat(bundle.output()).doesNotContain("OutOfMemoryError");
        assertThat(bundle.stop()).isIn(0, 143);
      }
    } finally {
      Files.delete(home.resolve("lib"));
      Home.delete(home);
    }
  }

  private static void markForDeadLetterTopic(Plant plant) {
    plant.ledger(
        "with f as (insert into failed_event"
            + " (feed, event_id, content_hash, status, failed_at, dead_letter_due, next_retry_at)"
            + " select 'consumer-graph', 'large-' || n, '\\x00', 'failed', now(), true, '-infinity'"
            + " from generate_series(1, "
            + DEAD_LETTERS
            + ") n returning id)"
            + " insert into failed_event_content (failed_event_id, source, headers, body)"
            + " select id, 'test', '[]', convert_to(repeat('x', "
            + BYTES
            + "), 'utf8') from f");
  }

  private static int unacknowledged(Plant plant) {
    return Servers.pubSub().unacknowledged("projects/test/subscriptions/" + plant.name);
  }

  private static long marked(Plant plant) {
    return (Long)
        plant
            .ledgerRows("select count(*) as n from failed_event where dead_letter_due")
            .get(0)
            .get("n");
  }
}
