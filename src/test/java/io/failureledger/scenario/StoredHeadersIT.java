package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event's headers are data: nothing that reads them obeys them. */
@Timeout(120)
class StoredHeadersIT {
  private static final Set<String> HOSTILE =
      Set.of(
          "CamelHttpUri",
          "camelKafkaOverrideTopic",
          "CAMELJdbcParameters",
          "kafka.OVERRIDE_TOPIC",
          "KAFKA.topic",
          "org.apache.camel.kafka.manualCommit",
          "googclient_schemaid");

  /** Rows get their headers before they are due. */
  private static final String LATER = "now() + interval '1 hour'";

  private static final String BODY = "convert_to('{}', 'utf8')";
  private static final String DUE = "update failed_event set next_retry_at = now()";

  private static Site site;
  private static KafkaTopic topic;

  @BeforeAll
  static void start() {
    site = new Site("probe").withKafka(1).set("replay.batch.size", "4");
    topic = new KafkaTopic(site.get("probe.topic"));
    site.start();
  }

  @AfterAll
  static void stop() {
    topic.close();
    site.close();
  }

  @BeforeEach
  void clear() {
    site.clear();
  }

  @Test
  void whatAComponentWouldObeyIsNotParked() {
    site.probe.order(ProbeHandler.FAIL);
    ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
    HOSTILE.forEach(name -> record.headers().add(name, KafkaTopic.bytes("evil")));
    record.headers().add("colour", KafkaTopic.bytes("red"));
    record.headers().add("colour", new byte[] {0, (byte) 0xFF});
    record.headers().add("none", null);
    topic.send(record);
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    assertThat(site.ledger.events().get(0).get("headers"))
        .hasToString(
            "[{\"name\":\"colour\",\"value\":\"red\"},{\"name\":\"colour\",\"base64\":\"AP8=\"},{\"name\":\"none\",\"value\":null}]");
  }

  @Test
  void whatAComponentWouldObeyIsNotReplayedWhateverWroteTheRow() {
    Map<String, Map<String, Object>> given = new ConcurrentHashMap<>();
    StringBuilder json = new StringBuilder("[{\"name\":\"colour\",\"value\":\"red\"}");
    HOSTILE.forEach(name -> json.append(",{\"name\":\"" + name + "\",\"value\":\"evil\"}"));
    site.probe.order(
        exchange -> {
          Map<String, Object> headers = new TreeMap<>(exchange.getMessage().getHeaders());
          given.put((String) headers.get("event-id"), headers);
        });
    Rows rows = new Rows(site);
    rows.insert("hostile", LATER, 0, BODY);
    rows.insert("none", LATER, 0, BODY);
    headers("hostile", json + "]");
    site.ledger.run(DUE);
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 2);
    assertThat(given.get("hostile")).containsEntry("colour", "red");
    assertThat(given.get("hostile").keySet())
        .containsExactlyInAnyOrder(
            "attempt", "colour", "event-id", "feed", "idempotency-key", "received-at");
  }

  @Test
  void headersThatCannotBeReadHoldUpNeitherTheirRowNorAnyOther() {
    Rows rows = new Rows(site);
    String[] broken = {
      "[{\"name\":\"a\",\"base64\":\"!!\"}]",
      "[{\"name\":\"a\",\"base64\":7}]",
      "[{\"name\":null,\"value\":\"v\"}]",
      "[{\"value\":\"v\"}]",
      "[{}]",
      "[1, null, \"x\", []]",
      "{\"name\":\"a\"}",
      "null",
      "\"text\""
    };
    for (int i = 0; i < broken.length; i++) {
      rows.insert("broken" + i, LATER, 0, BODY);
      headers("broken" + i, broken[i]);
    }
    rows.insert("good", LATER, 0, BODY);
    site.ledger.run(DUE);
    await()
        .atMost(30, SECONDS)
        .until(() -> site.ledger.count("status = 'resolved'") == broken.length + 1);
  }

  private static void headers(String eventId, String json) {
    site.ledger.rows(
        "update failed_event_content set headers = ?::json"
            + " where failed_event_id = (select id from failed_event where event_id = ?) returning 1",
        json,
        eventId);
  }
}
