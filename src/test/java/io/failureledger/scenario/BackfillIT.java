package io.failureledger.scenario;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.failureledger.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.camel.main.Main;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users of dead-lettered events: collected once, asked for in batches until they were taken. */
@Timeout(120)
class BackfillIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WireMockServer endpoint = new WireMockServer(options().dynamicPort());

  @BeforeEach
  void startEndpoint() {
    endpoint.start();
  }

  @AfterEach
  void stopEndpoint() {
    endpoint.stop();
  }

  @Test
  void eachUserIsCollectedOnceAndAfterARestartAskedForInBatchesOfTheConfiguredSize() {
    answer(200);
    try (Site site = site();
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      Main first = site.start(Map.of("backfill.url", ""));
      for (int repeat = 0; repeat < 2; repeat++) {
        for (int user = 0; user < 7; user++) {
          deadLetters.send(
              user % 2 == 0
                  ? with(deadLetters.record(null, null), "user-id", "u" + user)
                  : deadLetters.record(null, KafkaTopic.bytes("{\"user_id\":\"u" + user + "\"}")));
        }
        deadLetters.send(deadLetters.record(null, KafkaTopic.bytes("names nobody")));
      }
      awaitCollected(site, deadLetters, 16);
      assertThat(users(site, "status = 'pending'")).isEqualTo(7);
      site.stop(first);
      site.start();
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 7);
      // Batches are asked for at once, so they come in any order.
      assertThat(requests())
          .extracting(r -> r.get("user_ids").size())
          .containsExactlyInAnyOrder(3, 3, 1);
      assertThat(requests()).extracting(r -> r.get("target").asText()).containsOnly("both");
      assertThat(requests())
          .allSatisfy(
              r -> assertThat(r.fieldNames()).toIterable().containsExactly("user_ids", "target"));
      assertThat(asked())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 7).mapToObj(i -> "u" + i).toList());
      // A newer failure asks again, an older one before it does not.
      deadLetters.send(failed(deadLetters, "u1", "1999-01-01T00:00:00Z"));
      deadLetters.send(failed(deadLetters, "u0", "2999-01-01T00:00:00Z"));
      await().atMost(30, SECONDS).until(() -> requests().size() == 4);
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 7);
      assertThat(asked()).hasSize(8).last().isEqualTo("u0");
    }
  }

  @Test
  void usersThatTheEndpointDoesNotTakeStayPendingAndAreAskedForLaterAndLater() {
    answer(500);
    try (Site site = site();
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.start();
      deadLetters.send(failed(deadLetters, "u1", "2026-01-01T00:00:00Z"));
      List<Double> delays = List.of(60.0, 120.0, 240.0, 300.0, 300.0);
      for (int attempt = 1; attempt <= delays.size(); attempt++) {
        String tried = "status = 'pending' and attempts = " + attempt;
        await().atMost(30, SECONDS).until(() -> users(site, tried) == 1);
        assertThat(
                site.ledger.<Double>value(
                    "select extract(epoch from next_try_at - updated_at)::float8 from backfill_user"))
            .isEqualTo(delays.get(attempt - 1));
        site.ledger.run("update backfill_user set next_try_at = now()");
      }
      assertThat(site.ledger.<String>value("select last_error from backfill_user")).contains("500");
      assertThat(keys()).as("a repeat is known by its key").hasSize(1);
      answer(204);
      site.ledger.run("update backfill_user set next_try_at = now()");
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 1);
    }
  }

  @Test
  void usersStayPendingWhileNobodyAnswers() {
    try (Site site = site().set("backfill.url", "http://localhost:" + FreePort.find());
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      Main first = site.start();
      deadLetters.send(failed(deadLetters, "u1", "2026-01-01T00:00:00Z"));
      await()
          .atMost(30, SECONDS)
          .until(() -> users(site, "status = 'pending' and attempts = 1") == 1);
      site.stop(first);
      answer(200);
      site.ledger.run("update backfill_user set next_try_at = now()");
      site.start(Map.of("backfill.url", endpoint.baseUrl()));
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 1);
      assertThat(asked()).containsExactly("u1");
    }
  }

  @Test
  void aUserIsAskedForByExactlyTheNameThatTheEventSaysOrNotAtAll() {
    answer(200);
    try (Site site = site();
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.start();
      for (int value : new int[] {0x81, 0x92}) {
        ProducerRecord<byte[], byte[]> record = deadLetters.record(null, null);
        record.headers().add("user-id", new byte[] {(byte) value, (byte) value});
        deadLetters.send(record);
      }
      deadLetters.send(failed(deadLetters, "u".repeat(501), "2026-01-01T00:00:00Z"));
      for (String body : List.of("\\ud800", "\\ud801", "a\\u0000")) {
        deadLetters.send(
            deadLetters.record(null, KafkaTopic.bytes("{\"user_id\":\"" + body + "\"}")));
      }
      deadLetters.send(
          deadLetters.record(
              null, "{\"user_id\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1)));
      deadLetters.send(failed(deadLetters, "u".repeat(500), "2026-01-01T00:00:00Z"));
      deadLetters.send(failed(deadLetters, "\u00fc\u20ac", "2026-01-01T00:00:00Z"));
      awaitCollected(site, deadLetters, 9);
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 2);
      assertThat(users(site, "true")).isEqualTo(2);
      assertThat(asked()).containsExactlyInAnyOrder("u".repeat(500), "\u00fc\u20ac");
    }
  }

  private Site site() {
    return new Site("probe")
        .withKafka(1)
        .set("backfill.url", endpoint.baseUrl())
        .set("backfill.target", "both")
        .set("backfill.batch.size", "3")
        .set("backfill.period", "100ms")
        .set("backfill.backoff.base", "60s")
        .set("backfill.backoff.cap", "5m");
  }

  private void answer(int status) {
    endpoint.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(status)));
  }

  private List<LoggedRequest> posts() {
    return endpoint.findAll(postRequestedFor(urlEqualTo("/admin/backfill")));
  }

  private List<JsonNode> requests() {
    try {
      List<JsonNode> requests = new ArrayList<>();
      for (LoggedRequest post : posts()) {
        requests.add(JSON.readTree(post.getBody()));
      }
      return requests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> asked() {
    List<String> users = new ArrayList<>();
    requests().forEach(r -> r.get("user_ids").forEach(user -> users.add(user.asText())));
    return users;
  }

  private List<String> keys() {
    return posts().stream().map(post -> post.getHeader("Idempotency-Key")).distinct().toList();
  }

  private static void awaitCollected(Site site, KafkaTopic deadLetters, int count) {
    String group = site.get("probe.group") + "-dead-letter";
    await().atMost(30, SECONDS).until(() -> deadLetters.committed(group) == count);
  }

  private static long users(Site site, String condition) {
    return site.ledger.<Long>value("select count(*) from backfill_user where " + condition);
  }

  private static ProducerRecord<byte[], byte[]> failed(KafkaTopic topic, String user, String at) {
    return with(with(topic.record(null, null), "user-id", user), "failed-at", at);
  }

  private static ProducerRecord<byte[], byte[]> with(
      ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, KafkaTopic.bytes(value));
    return record;
  }
}
