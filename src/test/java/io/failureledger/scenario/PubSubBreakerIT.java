package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same breaker on the other broker. */
@Timeout(180)
class PubSubBreakerIT {
  private static final int MESSAGES = 200;
  private static final int THRESHOLD = 5;
  private static final int THREADS = 4;

  @Test
  void aTargetThatIsAwayStopsTheSubscriptionAndEverythingIsDeliveredAfterwards() throws Exception {
    try (Site site =
            new Site("probe-pubsub")
                .withPubSub()
                .set("policy.probe.first", "0s")
                .set("policy.probe.base", "1s")
                .set("policy.probe.cap", "1s")
                .set("pubsub.threads", Integer.toString(THREADS))
                .set("breaker.threshold", Integer.toString(THRESHOLD))
                .set("breaker.probe.period", "500ms");
        PubSubTopic topic = new PubSubTopic(site)) {
      AtomicInteger failures = new AtomicInteger();
      site.probe.order(
          exchange -> {
            failures.incrementAndGet();
            throw new ConnectException("refused");
          });
      Set<String> published = new HashSet<>();
      for (int i = 0; i < MESSAGES; i++) {
        published.add(topic.publish("{}", Map.of()));
      }
      site.start();
      BreakerIT.awaitState(site, "open");
      int before = failures.get();
      await()
          .atMost(60, SECONDS)
          .until(
              () -> site.healthInFull().contains("ingest-probe-pubsub (the breaker of the feed"));
      assertThat(site.ledger.count("true")).isPositive();
      // Each failure since the breaker was open is a probe, and may have been parked.
      assertThat(site.ledger.count("true"))
          .isLessThanOrEqualTo(THRESHOLD + THREADS + failures.get() - before);
      assertThat(topic.unacknowledged()).isPositive();

      Set<String> delivered = ConcurrentHashMap.newKeySet();
      site.probe.order(
          exchange ->
              delivered.add(
                  exchange.getProperty(EventProperties.ENVELOPE, Envelope.class).eventId()));
      await().atMost(60, SECONDS).until(() -> delivered.size() == MESSAGES);
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status <> 'resolved'") == 0);
      assertThat(delivered)
          .allMatch(id -> published.stream().anyMatch(message -> id.endsWith(message)));
    }
  }
}
