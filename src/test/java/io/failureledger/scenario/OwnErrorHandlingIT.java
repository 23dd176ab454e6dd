package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Handlers, and routes that they call, which name no error configuration or have error handling of
 * their own: what fails in them is parked, and the events behind it go on.
 */
@Timeout(120)
class OwnErrorHandlingIT {
  /** How a record asks to fail: a route that the handler calls by a name it computes. */
  private static final List<String> WAYS =
      List.of("unnamed", "retrying", "java", "nested", "kamelet", "template");

  private static final String HANDLER =
      """
      - route:
          id: handle-probe
          from:
            uri: direct:handle-probe
            steps:
              - toD:
                  uri: direct:fails-${header.way}
              - process:
                  ref: probe
      - route:
          id: fails-not
          from:
            uri: direct:fails-not
            steps:
              - log:
                  message: does not fail
      - route:
          id: fails-unnamed
          from:
            uri: direct:fails-unnamed
            steps:
              - throwException:
                  exceptionType: java.lang.IllegalStateException
                  message: unnamed
      - route:
          id: fails-retrying
          errorHandler:
            defaultErrorHandler:
              redeliveryPolicy:
                maximumRedeliveries: 1
                redeliveryDelay: "1"
          from:
            uri: direct:fails-retrying
            steps:
              - throwException:
                  exceptionType: java.lang.IllegalStateException
                  message: retrying
      - route:
          id: fails-nested
          from:
            uri: direct:fails-nested
            steps:
              - enrich:
                  expression:
                    simple:
                      expression: direct:fails-retrying
      - route:
          id: fails-kamelet
          from:
            uri: direct:fails-kamelet
            steps:
              - to:
                  uri: kamelet:post-json-sink
                  parameters:
                    url: http://localhost:1
      - routeTemplate:
          id: failing
          parameters:
            - name: way
          route:
            from:
              uri: direct:fails-{{way}}
              steps:
                - throwException:
                    exceptionType: java.lang.IllegalStateException
                    message: "{{way}}"
      - templatedRoute:
          routeTemplateRef: failing
          routeId: fails-template
          parameters:
            - name: way
              value: template
      """;

  private static final String JAVA =
      """
      import org.apache.camel.builder.RouteBuilder;

      public class FailsInJava extends RouteBuilder {
        @Override
        public void configure() {
          from("direct:fails-java")
              .routeId("fails-java")
              .throwException(new IllegalStateException("java"));
        }
      }
      """;

  @Test
  void whatFailsInAnyRouteOfAHandlerIsParkedAndTheEventsBehindItGoOn() throws IOException {
    try (Site site = new Site("probe").withKafka(1).set("probe.retry.topic", "");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      Path feed = site.home.resolve("routes/feeds/probe.camel.yaml");
      String written = Files.readString(feed);
      Files.writeString(feed, written.substring(0, written.indexOf("- route:")) + HANDLER);
      Files.writeString(site.home.resolve("routes/feeds/FailsInJava.java"), JAVA);
      site.start();
      List<String> ways = new ArrayList<>(WAYS);
      ways.add("not");
      for (String way : ways) {
        ProducerRecord<byte[], byte[]> record = topic.record(bytes(way), bytes("{}"));
        record.headers().add("way", bytes(way));
        topic.send(record);
      }
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == ways.size());
      assertThat(parked(site)).containsExactlyInAnyOrderElementsOf(WAYS);
      assertThat(site.probe.seen()).hasSize(1);
    }
  }

  private static Stream<String> parked(Site site) {
    return site.ledger.events().stream()
        .map(row -> new String((byte[]) row.get("key"), StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
