package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A deployed bug fails every event, whoever they are for. */
@Timeout(180)
class FailureShareIT {
  private static final int LEAST = 50;
  private static final int RECORDS = 500;

  private static Site site(String feed) {
    return new Site(feed)
        .withKafka(1)
        .set("breaker.share.events", Integer.toString(LEAST))
        .set("breaker.probe.period", "1h")
        .set("breaker.refresh.period", "200ms");
  }

  private static String opened(Site site) {
    return site
        .ledger
        .rows("select cause || ' ' || target as opened from breaker where state <> 'closed'")
        .stream()
        .map(row -> (String) row.get("opened"))
        .findFirst()
        .orElse("");
  }

  @Test
  void theLedgerIsBoundedTheFeedCanBePausedAndAfterTheRepairAllIsDelivered() {
    try (Site site = site("probe").set("probe.target", "the-target");
        Operator operator = new Operator(site, "probe");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      String large = "x".repeat(50 * 1024);
      topic.sendAll(0, IntStream.range(0, RECORDS).mapToObj(i -> i + large).toList());
      await().atMost(60, SECONDS).until(() -> opened(site).equals("share the-target"));
      assertThat(site.ledger.count("true")).isBetween((long) LEAST, LEAST + 1L);
      assertThat(operator.says("feed", "pause", "probe", "--reason", "a bug")).isZero();
      await().atMost(30, SECONDS).until(() -> site.healthInFull().contains("paused since"));

      AtomicInteger delivered = new AtomicInteger();
      site.probe.order(exchange -> delivered.incrementAndGet());
      site.ledger.run("update breaker set probe_at = now()");
      assertThat(operator.says("feed", "resume", "probe")).isZero();
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == RECORDS);
      assertThat(site.ledger.count("status = 'resolved'")).isPositive();
      assertThat(delivered.get()).isEqualTo(RECORDS - site.ledger.count("status = 'pending'"));
    }
  }

  @Test
  void whatAShareOpenedHoldsNoRowsTheyFailByTheirPolicyAndTheFirstSuccessCloses() {
    try (Site site =
            site("probe")
                .set("probe.target", "the-target")
                .set("policy.probe.first", "0s")
                .set("policy.probe.base", "100ms")
                .set("policy.probe.cap", "100ms")
                .set("policy.probe.attempts", "2");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.sendAll(0, IntStream.range(0, RECORDS).mapToObj(Integer::toString).toList());
      await().atMost(60, SECONDS).until(() -> opened(site).equals("share the-target"));
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status <> 'failed'") == 0);
      assertThat(site.ledger.count("reason = 'exhausted' and retry_count = 2"))
          .isBetween((long) LEAST, LEAST + 1L);
      assertThat(opened(site)).isEqualTo("share the-target");

      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run(
          "update failed_event set status = 'pending', failed_at = null, retry_count = 0,"
              + " dead_letter_due = false, next_retry_at = now() where id = (select min(id) from failed_event)");
      await().atMost(60, SECONDS).until(() -> opened(site).isEmpty());
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == RECORDS);
    }
  }

  @Test
  void aBugThatFailsTheEventsOfManyTargetsStopsTheirFeed() {
    try (Site site = site("probe-shops");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      for (int i = 0; i < RECORDS; i++) {
        ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
        record.headers().add("shop", KafkaTopic.bytes("shop" + i));
        topic.sendLater(record);
      }
      await().atMost(60, SECONDS).until(() -> opened(site).equals("share "));
      await()
          .atMost(30, SECONDS)
          .until(() -> site.healthInFull().contains("ingest-probe-shops (the breaker of the feed"));
      assertThat(site.ledger.count("true")).isBetween((long) LEAST, LEAST + 1L);

      // With nothing to probe with, the next event consumed decides, whoever it is for.
      site.ledger.run(
          "update failed_event set status = 'resolved', resolved_at = now(), next_retry_at = 'infinity'");
      site.ledger.run("update breaker set probe_at = now()");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      await()
          .atMost(30, SECONDS)
          .until(() -> site.healthInFull().contains("ingest-probe-shops (the breaker of the feed"));
      assertThat(site.ledger.count("status = 'pending'")).isOne();
    }
  }

  @Test
  void aFewFailuresAmongManyEventsOpenNothing() {
    try (Site site = site("probe").set("probe.target", "the-target");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            if (exchange.getMessage().getBody(String.class).endsWith("1")) {
              throw new IllegalStateException("one of ten");
            }
          });
      site.start();
      List<String> values = IntStream.range(0, RECORDS).mapToObj(Integer::toString).toList();
      topic.sendAll(0, values);
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == RECORDS);
      assertThat(site.ledger.count("true")).isEqualTo(RECORDS / 10);
      assertThat(opened(site)).isEmpty();
    }
  }
}
