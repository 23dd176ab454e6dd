package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row that the ledger refuses becomes a minimal one; a statement that met another is repeated.
 */
@Timeout(120)
class RefusedRowIT {
  private static final String REFUSED = "{\"user_id\":\"refused\"}";
  private static final String FOREIGN = "K\u00e4se \uD83E\uDDC0 \u0000 \uD83E";

  @ParameterizedTest
  @ValueSource(strings = {"22021", "22P05", "23514", "54000"})
  void aRowThatTheLedgerRefusesIsParkedAsRawBytesUnderAHashedIdentity(String state) {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      refuse(site, state);
      site.probe.order(
          exchange -> {
            throw new IllegalStateException(FOREIGN);
          });
      site.start();
      topic.send(event(topic, "e1"));
      topic.send(event(topic, "e1"));
      ProducerRecord<byte[], byte[]> drained = event(retries, "e2");
      for (String header : List.of("error-type", "error-message", "event-source", "target")) {
        drained.headers().add(header, KafkaTopic.bytes(FOREIGN));
      }
      retries.send(drained);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 2);
      await()
          .atMost(30, SECONDS)
          .until(() -> retries.committed(site.get("probe.group") + "-retry") == 1);
      assertThat(site.ledger.events()).hasSize(2).allSatisfy(RefusedRowIT::isMinimal);
      assertThat(site.ledger.count("occurrences = 2")).isOne();
      assertThat(retries.all()).hasSize(1);
      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 2);
    }
  }

  @Test
  void aSettleThatMeetsADeadlockOrASerializationFailureIsRepeatedInPlace() {
    try (Site site = new Site("probe").withKafka(1)) {
      Rows rows = new Rows(site);
      rows.due("e1");
      rows.due("e2");
      site.ledger.run("create sequence conflicts");
      trigger(
          site,
          "failed_event_attempt",
          "if nextval('conflicts') < 3 then raise exception 'met' using errcode ="
              + " case currval('conflicts') when 1 then '40P01' else '40001' end; end if;");
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 2);
      assertThat(site.probe.seenIds()).containsExactlyInAnyOrder("e1", "e2");
      assertThat(site.ledger.count("claims > 1")).isZero();
      assertThat(site.ledger.<Long>value("select last_value from conflicts")).isGreaterThan(2);
    }
  }

  @Test
  void aRowIsDurableWhenItsOffsetMovesWhateverTheDatabasesOwnDefault() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.ledger.run("alter database " + site.name + " set synchronous_commit = off");
      site.ledger.run("create table commits (mode text)");
      trigger(
          site,
          "failed_event",
          "insert into commits values (current_setting('synchronous_commit'));");
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.<String>value("select mode from commits")).isEqualTo("on");
    }
  }

  private static void isMinimal(Map<String, Object> row) {
    assertThat((String) row.get("event_id")).startsWith("sha256:");
    assertThat((byte[]) row.get("body")).asString().isEqualTo(REFUSED);
    assertThat((byte[]) row.get("key")).asString().isEqualTo("k");
    assertThat(row)
        .containsEntry("reason", "minimal")
        .containsEntry("status", "pending")
        .containsEntry("user_id", null);
    assertThat((String) row.get("error_message")).contains("K?se", "full row refused");
    assertThat(row.values())
        .filteredOn(String.class::isInstance)
        .allSatisfy(text -> assertThat((String) text).matches("[ -~]*"));
  }

  private static ProducerRecord<byte[], byte[]> event(KafkaTopic topic, String id) {
    ProducerRecord<byte[], byte[]> record =
        topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes(REFUSED));
    record.headers().add("event-id", KafkaTopic.bytes(id));
    return record;
  }

  private static void refuse(Site site, String state) {
    trigger(
        site,
        "failed_event_content",
        "if new.user_id = 'refused' then raise exception 'refused' using errcode = '"
            + state
            + "'; end if;");
  }

  private static void trigger(Site site, String table, String body) {
    site.ledger.run(
        "create function fault() returns trigger language plpgsql as $$ begin "
            + body
            + " return new; end $$");
    site.ledger.run(
        "create trigger fault before insert on "
            + table
            + " for each row execute function fault()");
  }
}
