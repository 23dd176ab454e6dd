package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.EventProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches of a Kafka feed: what a poll brought is tried together, and parked one by one. */
@Timeout(180)
class BatchIT {
  private static final int EVENTS = 200;

  /** Away, whichever event it is. */
  static final class AwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  static Site site(int partitions) {
    return new Site("probe", "probe-in-batches")
        .withKafka(partitions)
        .set("breaker.threshold", "10000")
        .set("breaker.share", "0")
        .set("policy.probe.pause", "*.AwayException")
        .set("policy.probe.terminal", "java.lang.ArithmeticException");
  }

  private static List<String> values(int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> "value" + i).toList());
  }

  private static String group(Site site) {
    return site.get("probe.group");
  }

  private static void awaitCommitted(Site site, KafkaTopic topic, long offset) {
    await().atMost(60, SECONDS).until(() -> topic.committed(group(site)) == offset);
  }

  @Test
  void ofABatchWithOneBadEventAllOthersAreDeliveredAndNoneIsHandledMoreThanTwice() {
    try (Site site = site(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      topic.sendAll(0, values(EVENTS));
      site.batches.failAt("value77");
      site.start();
      awaitCommitted(site, topic, EVENTS);
      assertThat(site.counted("failure_ledger_events_consumed_total")).isEqualTo(EVENTS);
      assertThat(site.counted("failure_ledger_events_delivered_total")).isEqualTo(EVENTS - 1);
      assertThat(site.counted("failure_ledger_events_parked_total")).isOne();
      assertThat(site.ledger.events())
          .singleElement()
          .satisfies(
              row -> assertThat(BatchProbe.text((byte[]) row.get("body"))).isEqualTo("value77"));
      assertThat(site.batches.runs()).hasSize(EVENTS);
      site.batches.assertAtMostTwice();
      assertThat(site.batches.events()).isGreaterThan(EVENTS / 2);
    }
  }

  @Test
  void whatABatchDeliversIsAcknowledgedWithoutAHandlerForEachEvent() {
    try (Site site = site(3).set("batch.size", "50");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      for (int partition = 0; partition < 3; partition++) {
        topic.sendAll(partition, values(EVENTS));
      }
      site.batches.order((exchange, batch) -> batch.get(0).supersede());
      site.start();
      for (int partition = 0; partition < 3; partition++) {
        int one = partition;
        await().atMost(60, SECONDS).until(() -> topic.committed(group(site), one) == EVENTS);
      }
      assertThat(site.batches.events() + site.probe.seen().size()).isEqualTo(3 * EVENTS);
      assertThat(site.batches.seen()).allMatch(batch -> batch.size() > 1 && batch.size() <= 50);
      assertThat(site.batches.events()).isGreaterThan(EVENTS);
      assertThat(site.counted("failure_ledger_events_delivered_total")).isEqualTo(3 * EVENTS);
      assertThat(site.counted("failure_ledger_events_superseded_total"))
          .isEqualTo(site.batches.seen().size());
      assertThat(site.ledger.events()).isEmpty();
    }
  }

  @Test
  void aTargetThatIsAwayParksTheWholeBatchAfterOneRun() {
    try (Site site = site(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      topic.sendAll(0, values(EVENTS));
      site.batches.order(
          (exchange, batch) -> {
            exchange.setProperty(EventProperties.TARGET, "till");
            batch.forEach(one -> one.body()[0] = 'x');
            throw new AwayException();
          });
      site.probe.order(
          exchange -> {
            throw new AwayException();
          });
      site.start();
      awaitCommitted(site, topic, EVENTS);
      assertThat(site.ledger.count("status = 'pending' and error_class = 'pause'"))
          .isEqualTo(EVENTS);
      assertThat(site.ledger.count("target = 'till'")).isEqualTo(site.batches.events());
      assertThat(site.batches.runs().values()).allMatch(runs -> runs == 1);
      // What a handler did to its copies is not parked.
      assertThat(site.ledger.events())
          .extracting(row -> BatchProbe.text((byte[]) row.get("body")))
          .containsExactlyInAnyOrderElementsOf(values(EVENTS));
      assertThat(site.counted("failure_ledger_events_delivered_total")).isZero();
    }
  }

  @Test
  void eventsOfOneSubjectAreInOneBatchAfterTheOther() {
    ConcurrentLinkedQueue<String> had = new ConcurrentLinkedQueue<>();
    try (Site site = site(1).set("probe.order", "subject");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String[]> records = new ArrayList<>();
      for (int version = 0; version < 5; version++) {
        for (String key : List.of("a", "b", "c", "d")) {
          records.add(new String[] {key, key + version});
        }
      }
      topic.sendKeyed(records);
      site.batches.order(
          (exchange, batch) -> batch.forEach(one -> had.add(BatchProbe.text(one.body()))));
      site.probe.order(exchange -> had.add(exchange.getMessage().getBody(String.class)));
      site.start();
      awaitCommitted(site, topic, records.size());
      for (String key : List.of("a", "b", "c", "d")) {
        assertThat(had.stream().filter(value -> value.startsWith(key)))
            .containsExactly(key + 0, key + 1, key + 2, key + 3, key + 4);
      }
      assertThat(site.batches.seen())
          .isNotEmpty()
          .allSatisfy(
              batch ->
                  assertThat(batch.stream().map(value -> value.charAt(0))).doesNotHaveDuplicates());
    }
  }

  @Test
  void whenOneEventOfAnOrderedFeedFailsTheLaterOnesOfItsSubjectWaitBehindIt() {
    ConcurrentLinkedQueue<String> had = new ConcurrentLinkedQueue<>();
    try (Site site = site(1).set("probe.order", "subject").set("probe.batch-key", "json:/to");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String[]> records = new ArrayList<>();
      for (int version = 0; version < 5; version++) {
        for (String key : List.of("a", "b", "c", "d")) {
          String to = List.of("x", "y").get((version + key.charAt(0)) % 2);
          records.add(
              new String[] {key, "{\"to\":\"%s\",\"is\":\"%s%d\"}".formatted(to, key, version)});
        }
      }
      topic.sendKeyed(records);
      site.batches.order(
          (exchange, batch) -> {
            List<String> bodies = batch.stream().map(one -> BatchProbe.text(one.body())).toList();
            if (bodies.stream().anyMatch(body -> body.contains("b1"))) {
              throw new ArithmeticException("b1");
            }
            had.addAll(bodies);
          });
      site.probe.order(
          exchange -> {
            String body = exchange.getMessage().getBody(String.class);
            if (body.contains("b1")) {
              throw new ArithmeticException("b1");
            }
            had.add(body);
          });
      site.start();
      awaitCommitted(site, topic, records.size());
      assertThat(site.ledger.count("status = 'failed' and reason = 'terminal'")).isOne();
      assertThat(site.ledger.count("status = 'pending' and reason = 'behind'")).isEqualTo(3);
      assertThat(had.stream().filter(body -> body.contains("\"b"))).hasSize(1);
      for (String key : List.of("a", "c", "d")) {
        assertThat(
                had.stream().filter(body -> body.contains("\"" + key)).map(body -> body.charAt(17)))
            .containsExactly('0', '1', '2', '3', '4');
      }
      site.batches.assertAtMostTwice();
    }
  }

  @Test
  void nothingAfterAnEventThatCannotBeParkedIsAcknowledged() {
    CountDownLatch revoked = new CountDownLatch(1);
    try (Site site =
            site(1).asRunner().set("probe.retry.topic", "").set("acknowledge.interval", "10ms");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      topic.sendAll(0, values(100));
      site.batches.order(
          (exchange, batch) -> {
            revoked.await();
            throw new IllegalStateException("which of them is the bad one?");
          });
      site.probe.order(
          exchange -> {
            revoked.await();
            if (exchange.getMessage().getBody(String.class).equals("value50")) {
              throw new IllegalStateException("this one");
            }
          });
      site.startConsuming();
      await().atMost(30, SECONDS).until(() -> !site.batches.runs().isEmpty());
      Outage.RIGHT_REVOKED.begin(site);
      revoked.countDown();
      awaitCommitted(site, topic, 50);
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_events_returned_total") >= 1);
      assertThat(topic.committed(group(site))).isEqualTo(50);
      assertThat(site.ledger.events()).isEmpty();
      site.batches.order(BatchProbe.SUCCEED);
      Outage.RIGHT_REVOKED.end(site);
      awaitCommitted(site, topic, 100);
      assertThat(site.batches.runs().keySet()).containsAll(values(100));
    }
  }

  @Test
  void whatABatchDeliveredBehindAnEventThatIsReturnedIsNotAcknowledgedBeforeIt() {
    CountDownLatch revoked = new CountDownLatch(1);
    try (Site site =
            site(1)
                .asRunner()
                .set("probe.retry.topic", "")
                .set("probe.batch-key", "json:/to")
                .set("acknowledge.interval", "10ms");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      // The key of the first event is delivered whole; the second event, of the other key, is bad.
      List<String> values = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        values.add("{\"to\":\"%s\",\"n\":%d}".formatted(i % 2 == 0 ? "x" : "y", i));
      }
      topic.sendAll(0, values);
      site.batches.order(
          (exchange, batch) -> {
            revoked.await();
            if (BatchProbe.text(batch.get(0).body()).contains("y")) {
              throw new IllegalStateException("which of them?");
            }
          });
      site.probe.order(
          exchange -> {
            revoked.await();
            if (exchange.getMessage().getBody(String.class).endsWith(":1}")) {
              throw new IllegalStateException("this one");
            }
          });
      site.startConsuming();
      await().atMost(30, SECONDS).until(() -> !site.batches.runs().isEmpty());
      Outage.RIGHT_REVOKED.begin(site);
      revoked.countDown();
      awaitCommitted(site, topic, 1);
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_events_returned_total") >= 1);
      assertThat(topic.committed(group(site))).isOne();
      Outage.RIGHT_REVOKED.end(site);
      awaitCommitted(site, topic, 40);
      assertThat(site.ledger.events()).hasSize(1);
    }
  }

  @Test
  void aKillInsideABatchLosesNothing() {
    try (Site site = site(1).set("acknowledge.interval", "10ms").set("batch.size", "50");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      topic.sendAll(0, values(EVENTS));
      try (ForkedBundle killed = new ForkedBundle(site, "2", "succeed", "acknowledge")) {
        killed.awaitLine("stays in handler");
      }
      long committed = topic.committed(group(site));
      assertThat(committed).isLessThan(EVENTS);
      Servers.kafka().evictMembers(group(site));
      site.start();
      awaitCommitted(site, topic, EVENTS);
      assertThat(site.batches.runs().keySet())
          .containsAll(values(EVENTS).subList((int) committed, EVENTS));
      assertThat(site.ledger.events()).isEmpty();
    }
  }

  @Test
  void theEventsOfABatchThatHangsStayWithTheirBroker() {
    Hang hang = new Hang();
    try (Site site = site(1).set("handler.timeout", "1s").consumerStopTimeout(500);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      topic.sendAll(0, values(EVENTS));
      site.batches.order((exchange, batch) -> hang.once());
      site.start();
      await().atMost(30, SECONDS).until(() -> site.health().contains("handle-probe-batch"));
      awaitCommitted(site, topic, EVENTS);
      assertThat(site.batches.runs().keySet()).containsAll(values(EVENTS));
      assertThat(site.ledger.count("true")).isZero();
      hang.end();
    } finally {
      hang.end();
    }
  }
}
