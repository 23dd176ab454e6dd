package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.EventReturnedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.camel.main.Main;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * When a Kafka offset moves: last, once the event is delivered or parked, and not a record later.
 */
@Timeout(120)
class AcknowledgeIT {
  @Test
  void nothingIsAcknowledgedWhileTheLedgerRefusesAndEverythingArrivesAfterTheGrant() {
    try (Site site = returning(1).asRunner();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      Main main = site.startConsuming();
      List<Throwable> failures = watchFailures(main);
      Outage.RIGHT_REVOKED.begin(site);
      List.of("k1", "k2", "k3").forEach(key -> topic.send(key, "{}"));
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_events_returned_total") >= 1);
      assertThat(topic.committed(group(site))).isZero();
      assertThat(site.ledger.events()).isEmpty();
      // Why it could not be parked does not hide why it had to be.
      assertThat(failures).isNotEmpty().first().isInstanceOf(EventReturnedException.class);
      assertThat(failures.get(0)).hasStackTraceContaining("permission denied");
      assertThat(failures.get(0).getSuppressed())
          .singleElement()
          .hasToString("java.lang.IllegalStateException: the probe was told to fail");
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site)) == 3);
      assertThat(site.ledger.events())
          .extracting(row -> new String((byte[]) row.get("key"), StandardCharsets.UTF_8))
          .containsExactly("k1", "k2", "k3");
    }
  }

  @Test
  void eachPartitionIsCommittedByItself() {
    try (Site site = returning(3);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String> values = IntStream.range(0, 40).mapToObj(Integer::toString).toList();
      topic.sendAll(0, values);
      topic.sendAll(1, values.subList(0, 7));
      topic.sendAll(2, values.subList(0, 1));
      site.probe.order(
          exchange -> {
            if (exchange.getMessage().getBody(String.class).endsWith("3")) {
              throw new IllegalStateException("a three");
            }
          });
      site.start();
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site), 0) == 40);
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site), 1) == 7);
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site), 2) == 1);
      assertThat(site.ledger.events()).hasSize(5);
    }
  }

  @Test
  void theProgressBeforeAReturnedRecordIsKeptAndItsHandlersDoNotRunAgain() {
    CountDownLatch revoked = new CountDownLatch(1);
    try (Site site = returning(2).asRunner().set("acknowledge.interval", "60s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String> good = IntStream.range(0, 20).mapToObj(i -> "good" + i).toList();
      List<String> values = new ArrayList<>(good);
      values.add("bad");
      topic.sendAll(0, values);
      topic.sendAll(1, List.of("other0", "other1"));
      site.probe.order(
          exchange -> {
            revoked.await();
            if (exchange.getMessage().getBody(String.class).equals("bad")) {
              throw new IllegalStateException("bad");
            }
          });
      site.startConsuming();
      Outage.RIGHT_REVOKED.begin(site);
      revoked.countDown();
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site)) == 20);
      await().atMost(30, SECONDS).until(() -> bodies(site).contains("bad"));
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site)) == 21);
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site), 1) == 2);
      assertThat(bodies(site)).containsOnlyOnceElementsOf(good);
      assertThat(bodies(site)).contains("other0", "other1");
      assertThat(site.ledger.events()).hasSize(1);
    }
  }

  @Test
  void aCommitThatFailsIsCountedAndNotParked() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch evicted = new CountDownLatch(1);
    try (Site site = returning(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            running.countDown();
            evicted.await();
          });
      site.start();
      topic.send("k", "{}");
      assertThat(running.await(30, SECONDS)).isTrue();
      Servers.kafka().evictMembers(group(site));
      evicted.countDown();
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_commits_failed_total") >= 1);
      // Its partition comes back to the consumer, and the record with it: delivered once more.
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site)) == 1);
      assertThat(site.probe.seen()).hasSizeGreaterThan(1);
      assertThat(site.ledger.events()).isEmpty();
    }
  }

  @Test
  void whatAConsumerThatWasPutOutOfItsGroupStillHasInHandGoesBackAndIsNotDeliveredTwice()
      throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch evicted = new CountDownLatch(1);
    try (Site site = returning(1).set("acknowledge.interval", "10ms");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String> values = IntStream.range(0, 200).mapToObj(i -> "value" + i).toList();
      topic.sendAll(0, values);
      site.probe.order(
          exchange -> {
            running.countDown();
            evicted.await();
            // Longer than between two commits.
            new CountDownLatch(1).await(11, MILLISECONDS);
          });
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      Servers.kafka().evictMembers(group(site));
      evicted.countDown();
      await().atMost(30, SECONDS).until(() -> topic.committed(group(site)) == values.size());
      assertThat(bodies(site)).containsAll(values).hasSizeLessThan(values.size() + 10);
      assertThat(site.ledger.events()).isEmpty();
    }
  }

  /** A site whose feed has no retry topic: what cannot be parked is returned. */
  private static Site returning(int partitions) {
    return new Site("probe").withKafka(partitions).set("probe.retry.topic", "");
  }

  private static String group(Site site) {
    return site.get("probe.group");
  }

  private static List<String> bodies(Site site) {
    return site.probe.seen().stream()
        .map(event -> new String(event.body(), StandardCharsets.UTF_8))
        .toList();
  }

  private static List<Throwable> watchFailures(Main main) {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    EventNotifierSupport notifier =
        new EventNotifierSupport() {
          @Override
          public void notify(CamelEvent event) {
            if (event instanceof CamelEvent.ExchangeFailedEvent failed
                && failed.getExchange().getFromRouteId().startsWith("ingest-")) {
              failures.add(failed.getExchange().getException());
            }
          }
        };
    notifier.start();
    main.getCamelContext().getManagementStrategy().addEventNotifier(notifier);
    return failures;
  }
}
