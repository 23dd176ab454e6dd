package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.failureledger.event.Envelope;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.Message;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What arrived is what is parked and what is replayed, to the byte, whatever it is. */
@Timeout(120)
class ContentIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DELIVERED = "failure_ledger_events_delivered_total";

  private static Site site;
  private static KafkaTopic topic;

  @BeforeAll
  static void start() {
    site = new Site("probe").withKafka(1);
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
  void bytesThatAreNoJsonMakeARowEachAndGoodRecordsAreDelivered() {
    List<byte[]> bad =
        List.of(
            new byte[] {0, 0, 0, 0, 0x2A, (byte) 0xFF},
            new byte[0],
            new byte[] {(byte) 0xC3, 0x28},
            "{\"user_id\":".getBytes(StandardCharsets.UTF_8),
            "[".repeat(50_000).getBytes(StandardCharsets.UTF_8),
            "{\"n\":1e999999999}x".getBytes(StandardCharsets.UTF_8));
    double delivered = site.counted(DELIVERED);
    site.probe.order(
        exchange -> {
          byte[] body = exchange.getMessage().getBody(byte[].class);
          if (!JSON.readerFor(Map.class).readTree(body).has("good")) {
            throw new IllegalArgumentException("not what the feed carries");
          }
        });
    for (byte[] value : bad) {
      topic.send(topic.record(null, value));
      topic.send("k", "{\"good\":1}");
    }
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    assertThat(site.ledger.events())
        .extracting(row -> (byte[]) row.get("body"))
        .containsExactlyElementsOf(bad);
    assertThat(site.probe.seen()).hasSize(bad.size() * 2);
    assertThat(site.counted(DELIVERED) - delivered).isEqualTo(bad.size());
  }

  @Test
  void nullAndNulAndEveryByteComeBackOnReplayAsTheyArrived() {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    site.probe.order(ProbeHandler.FAIL);
    List<ProducerRecord<byte[], byte[]>> records =
        List.of(
            topic.record(KafkaTopic.bytes("c-1"), null),
            topic.record(null, null),
            topic.record(new byte[0], new byte[0]),
            topic.record(null, KafkaTopic.bytes("{\"note\":\"a\\u0000b\"}")),
            topic.record(every, KafkaTopic.bytes("{\"user_id\":\"a\u0000b\"}")),
            topic.record(KafkaTopic.bytes("c-1"), every));
    records.forEach(topic::send);
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    List<Map<String, Object>> rows = site.ledger.events();
    assertThat(rows)
        .extracting(row -> (byte[]) row.get("key"))
        .containsExactly(records.stream().map(ProducerRecord::key).toArray(byte[][]::new));
    assertThat(rows)
        .extracting(row -> (byte[]) row.get("body"))
        .containsExactly(records.stream().map(ProducerRecord::value).toArray(byte[][]::new));
    site.probe.order(ProbeHandler.SUCCEED);
    site.probe.seen().clear();
    site.ledger.run("update failed_event set next_retry_at = now() + id * interval '1 us'");
    await()
        .atMost(30, SECONDS)
        .until(() -> site.ledger.count("status = 'resolved'") == records.size());
    assertThat(site.probe.seen())
        .extracting(Envelope::body)
        .containsExactlyInAnyOrder(
            records.stream().map(ProducerRecord::value).toArray(byte[][]::new));
    assertThat(site.probe.seen())
        .extracting(Envelope::key)
        .containsExactlyInAnyOrder(
            records.stream().map(ProducerRecord::key).toArray(byte[][]::new));
  }

  static Stream<Named<ProbeHandler.Order>> spoilers() {
    return Stream.of(
        spoiler(
            "reads it as a stream once",
            message -> {
              message.setBody(new ByteArrayInputStream(message.getBody(byte[].class)));
              message.getBody(InputStream.class).readAllBytes();
            }),
        spoiler("rewrites the body", message -> message.setBody("something else")),
        spoiler("drops the body", message -> message.setBody(null)),
        spoiler(
            "writes into the bytes",
            message -> Arrays.fill(message.getBody(byte[].class), (byte) 0)),
        spoiler("removes a header", message -> message.removeHeader("colour")),
        spoiler("changes headers", message -> message.setHeader("event-id", "another")),
        spoiler("removes all headers", message -> message.removeHeaders("*")),
        spoiler(
            "replaces the message",
            message -> message.getExchange().setMessage(message.newInstance())));
  }

  @Test
  void theRowHoldsWhatArrivedWhateverTheHandlerMadeOfIt() {
    List<Named<ProbeHandler.Order>> spoilers = spoilers().toList();
    site.probe.order(
        exchange ->
            spoilers
                .get(Integer.parseInt(exchange.getMessage().getHeader("n", String.class)))
                .getPayload()
                .on(exchange));
    for (int i = 0; i < spoilers.size(); i++) {
      ProducerRecord<byte[], byte[]> record =
          topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes("{\"user_id\":\"u\"}"));
      record.headers().add("n", KafkaTopic.bytes(Integer.toString(i)));
      record.headers().add("colour", KafkaTopic.bytes("red"));
      topic.send(record);
    }
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    List<Map<String, Object>> rows = site.ledger.events();
    assertThat(rows).hasSize(spoilers.size());
    for (int i = 0; i < rows.size(); i++) {
      assertThat((byte[]) rows.get(i).get("body"))
          .as("a handler that " + spoilers.get(i).getName())
          .asString()
          .isEqualTo("{\"user_id\":\"u\"}");
      assertThat(rows.get(i).get("headers"))
          .as("a handler that " + spoilers.get(i).getName())
          .hasToString(
              "[{\"name\":\"n\",\"value\":\"" + i + "\"},{\"name\":\"colour\",\"value\":\"red\"}]");
    }
  }

  private interface Change {
    void of(Message message) throws Exception;
  }

  private static Named<ProbeHandler.Order> spoiler(String name, Change change) {
    return Named.of(
        name,
        exchange -> {
          change.of(exchange.getMessage());
          throw new IllegalStateException(name);
        });
  }
}
