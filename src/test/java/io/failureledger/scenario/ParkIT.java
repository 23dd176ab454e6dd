package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A failed event of a Kafka feed on a real broker and a real ledger. */
class ParkIT {
  @Test
  void aFailedRecordIsInTheLedgerBeforeItsOffsetMoves() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.send("k1", "{\"user_id\":\"u1\"}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      assertThat(site.ledger.events()).hasSize(1);
      Map<String, Object> row = site.ledger.events().get(0);
      assertThat(row).containsEntry("status", "pending").containsEntry("user_id", "u1");
      assertThat((byte[]) row.get("body")).asString().isEqualTo("{\"user_id\":\"u1\"}");
      assertThat((byte[]) row.get("key")).asString().isEqualTo("k1");
      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
    }
  }
}
