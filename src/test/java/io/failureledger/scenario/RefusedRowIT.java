package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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

  private static Site site;
  private static KafkaTopic topic;
  private static KafkaTopic retries;

  @BeforeAll
  static void start() {
    site = new Site("probe").withKafka(1);
    topic = new KafkaTopic(site.get("probe.topic"));
    retries = new KafkaTopic(site.get("probe.retry.topic"));
    site.start();
  }

  @AfterAll
  static void stop() {
    topic.close();
    retries.close();
    site.close();
  }

  @BeforeEach
  void clear() {
    site.clear();
  }

  @ParameterizedTest
  @ValueSource(strings = {"22021", "22P05", "23514", "54000"})
  void aRowThatTheLedgerRefusesIsParkedAsRawBytesUnderAHashedIdentity(String state) {
    refuse(state);
    int before = retries.all().size();
    site.probe.order(
        exchange -> {
          throw new IllegalStateException(FOREIGN);
        });
    topic.send(event(topic, "e1"));
    topic.send(event(topic, "e1"));
    ProducerRecord<byte[], byte[]> drained = event(retries, "e2");
    for (String header : List.of("error-type", "error-message", "event-source", "target")) {
      drained.headers().add(header, KafkaTopic.bytes(FOREIGN));
    }
    retries.send(drained);
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    await().atMost(30, SECONDS).until(() -> retries.consumed(site.name + "-retry"));
    assertThat(site.ledger.events()).hasSize(2).allSatisfy(RefusedRowIT::isMinimal);
    assertThat(site.ledger.count("occurrences = 2")).isOne();
    assertThat(retries.all()).hasSize(before + 1);
    site.probe.order(ProbeHandler.SUCCEED);
    site.ledger.run("update failed_event set next_retry_at = now()");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 2);
  }

  @Test
  void aSettleThatMeetsADeadlockOrASerializationFailureIsRepeatedInPlace() {
    try (Site own = new Site("probe").withKafka(1)) {
      Rows rows = new Rows(own);
      rows.due("e1");
      rows.due("e2");
      own.ledger.run("create sequence conflicts");
      trigger(
          own,
          "failed_event_attempt",
          "if nextval('conflicts') < 3 then raise exception 'met' using errcode ="
              + " case currval('conflicts') when 1 then '40P01' else '40001' end; end if;");
      own.start();
      await().atMost(30, SECONDS).until(() -> own.ledger.count("status = 'resolved'") == 2);
      assertThat(own.probe.seenIds()).containsExactlyInAnyOrder("e1", "e2");
      assertThat(own.ledger.count("claims > 1")).isZero();
      assertThat(own.ledger.<Long>value("select last_value from conflicts")).isGreaterThan(2);
    }
  }

  @Test
  void aRowIsDurableWhenItsOffsetMovesWhateverTheDatabasesOwnDefault() {
    try (Site own = new Site("probe").withKafka(1);
        KafkaTopic its = new KafkaTopic(own.get("probe.topic"))) {
      own.ledger.run("alter database " + own.name + " set synchronous_commit = off");
      own.ledger.run("create table commits (mode text)");
      trigger(
          own,
          "failed_event",
          "insert into commits values (current_setting('synchronous_commit'));");
      own.probe.order(ProbeHandler.FAIL);
      own.start();
      its.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> its.committed(own.get("probe.group")) == 1);
      assertThat(own.ledger.<String>value("select mode from commits")).isEqualTo("on");
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

  private static void refuse(String state) {
    trigger(
        site,
        "failed_event_content",
        "if new.user_id = 'refused' then raise exception 'refused' using errcode = '"
            + state
            + "'; end if;");
  }

  private static void trigger(Site site, String table, String body) {
    site.ledger.run(
        "create or replace function fault() returns trigger language plpgsql as $$ begin "
            + body
            + " return new; end $$");
    site.ledger.run(
        "create or replace trigger fault before insert on "
            + table
            + " for each row execute function fault()");
  }
}
