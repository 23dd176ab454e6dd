package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A feed of many targets of which one is away. */
@Timeout(180)
class OpenTargetIT {
  private static final int EACH = 300;
  private static final int THRESHOLD = 5;

  private final AtomicInteger dead = new AtomicInteger();
  private final AtomicInteger alive = new AtomicInteger();

  private static Site site() {
    return new Site("probe-shops")
        .withKafka(1)
        .set("policy.probe.first", "0s")
        .set("policy.probe.base", "1s")
        .set("policy.probe.cap", "1s")
        .set("breaker.threshold", Integer.toString(THRESHOLD))
        .set("breaker.share", "0")
        .set("breaker.probe.period", "1h")
        .set("breaker.refresh.period", "200ms");
  }

  private void deadShopIsAway(Exchange exchange) throws ConnectException {
    if ("dead".equals(exchange.getMessage().getHeader("shop"))) {
      dead.incrementAndGet();
      throw new ConnectException("refused");
    }
    alive.incrementAndGet();
  }

  private static void send(KafkaTopic topic, String shop) {
    ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
    record.headers().add("shop", KafkaTopic.bytes(shop));
    topic.sendLater(record);
  }

  @Test
  void itsEventsWaitUnaskedAndTheOthersAreDelivered() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(this::deadShopIsAway);
      site.start();
      for (int i = 0; i < EACH; i++) {
        send(topic, "dead");
        send(topic, "alive");
      }
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == 2 * EACH);
      assertThat(alive).hasValue(EACH);
      // Those that opened the breaker, at ingest or at a replay, and no more.
      assertThat(dead.get()).isBetween(THRESHOLD, 2 * THRESHOLD + 8);
      assertThat(site.ledger.count("status = 'pending' and target = 'shop:dead'")).isEqualTo(EACH);
      await()
          .atMost(30, SECONDS)
          .until(() -> site.ledger.count("reason = 'held' and error_class = 'pause'") == EACH);
      assertThat(site.ledger.count("retry_count > 0 or claims > 0 or lease_owner is not null"))
          .isZero();
      assertThat(site.ledger.count("next_retry_at < now() + interval '9 minutes'")).isZero();
      site.awaitUp();
      assertThat(site.healthInFull())
          .contains("target shop:dead of the feed probe-shops")
          .doesNotContain("ingest-probe-shops (");
      assertThat(site.counted("failure_ledger_breaker_state")).isEqualTo(2);
      assertThat(site.counted("failure_ledger_breaker_openings_total")).isOne();

      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update breaker set probe_at = now()");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status <> 'resolved'") == 0);
      assertThat(site.counted("failure_ledger_breaker_state")).isZero();
    }
  }

  @Test
  void aTargetThatIsBackForOneEventOnlyDoesNotLoseTheOthers() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(this::deadShopIsAway);
      site.start();
      for (int i = 0; i < 20; i++) {
        send(topic, "dead");
      }
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == 20);
      AtomicInteger left = new AtomicInteger(1);
      site.probe.order(
          exchange -> {
            if (left.getAndDecrement() <= 0) {
              deadShopIsAway(exchange);
            }
          });
      site.ledger.run("update breaker set probe_at = now()");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      await()
          .atMost(60, SECONDS)
          .until(() -> site.ledger.rows("select from breaker where state = 'open'").size() == 1);
      site.probe.order(ProbeHandler.SUCCEED);
      // A turn to probe is lost for a period when each of its events is in hand just then.
      await()
          .atMost(60, SECONDS)
          .until(
              () -> {
                site.ledger.run("update breaker set probe_at = now() where state <> 'closed'");
                return site.ledger.count("status = 'resolved'") == 20;
              });
    }
  }

  @Test
  void wherePausingFailuresCountEventsKeepTheirScheduleWhateverProbesThem() {
    try (Site site =
        site()
            .set("policy.probe.pause.counts", "true")
            .set("breaker.threshold", "1")
            .set("breaker.probe.period", "300ms")) {
      site.probe.order(
          exchange -> {
            throw new ConnectException("refused");
          });
      new Rows(site).due("e1", "probe-shops");
      site.start();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'failed'") == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("reason", "exhausted")
          .containsEntry("retry_count", 5);
      assertThat(
              site.ledger.rows(
                  "select outcome, count(*) from failed_event_attempt group by outcome order by outcome"))
          .extracting(row -> row.get("outcome") + " " + row.get("count"))
          .containsExactly("fail 1", "reschedule 4");
      // The probes before their time were more runs than attempts.
      assertThat(site.probe.seen()).hasSizeGreaterThan(5);
      assertThat(site.ledger.<String>value("select state from breaker")).isNotEqualTo("closed");
    }
  }
}
