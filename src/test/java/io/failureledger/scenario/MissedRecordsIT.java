package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that the broker deletes before a feed reads them, and partitions that are added. */
@Timeout(180)
class MissedRecordsIT {
  private static final String MISSED = "failure_ledger_records_missed_total";

  @Test
  void recordsThatWereDeletedWhileTheFeedWasStoppedAreCountedAndToldOfOnce() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      Main main = site.start();
      topic.send("k", "{}");
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 2);
      assertThat(site.counted(MISSED)).isZero();
      site.stop(main);
      topic.sendAll(0, Collections.nCopies(30, "{}"));
      topic.deleteBefore(32);
      main = restarted(site, topic, "from offset 2 to 31");
      // Nothing was consumed since, and it is not told of again.
      site.stop(main);
      try (LogLines log = LogLines.since()) {
        site.startConsuming();
        topic.send("k", "{}");
        await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 33);
        assertThat(site.counted(MISSED)).isZero();
        assertThat(log.with("before they were read")).isEmpty();
      }
      assertThat(site.probe.seen()).hasSize(3);
    }
  }

  @Test
  void soAreThoseOfAPartitionOfWhichNoneWasEverRead() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      Main main = site.start();
      await().atMost(30, SECONDS).until(() -> topic.committedOrNone(site.name, 0) == 0);
      site.stop(main);
      topic.sendAll(0, Collections.nCopies(30, "{}"));
      topic.deleteBefore(30);
      restarted(site, topic, "from offset 0 to 29");
    }
  }

  /** 30 records are told of, with their partition. */
  private static Main restarted(Site site, KafkaTopic topic, String offsets) {
    try (LogLines log = LogLines.since()) {
      Main main = site.start();
      await().atMost(30, SECONDS).until(() -> site.counted(MISSED) == 30);
      List<String> said = log.with("before they were read");
      assertThat(said).isNotEmpty().allSatisfy(line -> assertThat(line).contains(offsets));
      assertThat(said.get(0)).contains(site.get("probe.topic") + "-0");
      return main;
    }
  }

  @Test
  void aNewPartitionIsConsumedFromItsBeginningWithinAMinute() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.startConsuming();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      topic.growTo(2);
      topic.sendAll(1, List.of("{}"));
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name, 1) == 1);
      assertThat(site.probe.seen()).hasSize(2);
    }
  }
}
