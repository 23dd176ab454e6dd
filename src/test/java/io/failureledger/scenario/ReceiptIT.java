package io.failureledger.scenario;

import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.failureledger.event.Envelope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a handler, and who it calls, can tell one event and its repeats by. */
@Timeout(120)
class ReceiptIT {
  @Test
  void whoeverAHandlerPostsToIsGivenOneIdempotencyKeyAtEachRun() {
    WireMockServer hook = new WireMockServer(options().dynamicPort());
    hook.start();
    hook.stubFor(post(anyUrl()).willReturn(serverError()));
    try (Site site = new Site("hook").withKafka(1).set("hook.url", hook.baseUrl() + "/hook");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.start();
      send(topic);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 1);
      hook.stubFor(post(anyUrl()).willReturn(WireMock.ok()));
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      List<LoggedRequest> requests = hook.findAll(postRequestedFor(anyUrl()));
      assertThat(requests).hasSize(3);
      assertThat(requests)
          .allSatisfy(
              request -> {
                assertThat(request.getHeaders().getHeader("Idempotency-Key").values())
                    .containsExactly("order-7");
                assertThat(request.getBodyAsString()).isEqualTo("{\"v\":1}");
              });
    } finally {
      hook.stop();
    }
  }

  @Test
  void aHandlerIsToldEventKeyAndAttemptAsHeadersAndAsVariables() {
    List<String> told = new CopyOnWriteArrayList<>();
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            told.add(receipt(exchange));
            throw new IllegalStateException("told to fail");
          });
      site.start();
      send(topic);
      for (int replay = 1; replay <= 2; replay++) {
        int replays = replay;
        await().atMost(30, SECONDS).until(() -> told.size() == replays);
        await()
            .atMost(30, SECONDS)
            .until(() -> site.ledger.count("replays = " + (replays - 1)) == 1);
        site.ledger.run("update failed_event set next_retry_at = now()");
      }
      await().atMost(30, SECONDS).until(() -> site.ledger.count("replays = 2") == 1);
      assertThat(told)
          .containsExactly(
              "order-7 order-7 0 | order-7",
              "order-7 order-7 1 | order-7",
              "order-7 order-7 2 | order-7");
    }
  }

  private static String receipt(Exchange exchange) {
    Envelope envelope = exchange.getProperty("envelope", Envelope.class);
    return "%s %s %s | %s"
        .formatted(
            exchange.getMessage().getHeader("event-id"),
            exchange.getMessage().getHeader("idempotency-key"),
            exchange.getMessage().getHeader("attempt"),
            envelope.eventId());
  }

  private static void send(KafkaTopic topic) {
    ProducerRecord<byte[], byte[]> record =
        topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes("{\"v\":1}"));
    record.headers().add("event-id", KafkaTopic.bytes("order-7"));
    record.headers().add("attempt", KafkaTopic.bytes("what the sender calls one"));
    topic.send(record);
  }
}
