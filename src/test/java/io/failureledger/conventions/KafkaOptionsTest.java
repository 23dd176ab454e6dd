package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kafka's options, without which a record is lost or committed too early. */
class KafkaOptionsTest {
  private static final String BYTES = "org.apache.kafka.common.serialization.ByteArray";
  private static final Map<String, String> CONSUMER =
      Map.of(
          "autoCommitEnable", "false",
          "allowManualCommit", "true",
          "breakOnFirstError", "true",
          "autoOffsetReset", "earliest",
          "isolationLevel", "read_committed",
          "metadataMaxAgeMs", "10000",
          "pollOnError", "STOP",
          "keyDeserializer", BYTES + "Deserializer",
          "valueDeserializer", BYTES + "Deserializer");
  private static final Map<String, String> PRODUCER =
      Map.of(
          "requestRequiredAcks",
          "all",
          "enableIdempotence",
          "true",
          "keySerializer",
          BYTES + "Serializer",
          "valueSerializer",
          BYTES + "Serializer");

  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    for (Flow flow : file.flows()) {
      if (flow.fromUri().startsWith("kafka:")) {
        JsonNode parameters = flow.from().path("parameters");
        check(flow, parameters, CONSUMER, problems);
        if (parameters.path("groupId").asText("").isBlank()) {
          problems.add(flow.at("consumes without groupId"));
        }
        if (!parameters.path("fetchMaxBytes").asText("").equals("{{kafka.fetch.bytes}}")) {
          problems.add(flow.at("fetches bytes without a bound"));
        }
      }
      for (Flow.Step step : flow.steps()) {
        if (step.uri().startsWith("kafka:")) {
          check(flow, step.yaml().path("parameters"), PRODUCER, problems);
        }
      }
    }
    return problems;
  }

  private static void check(
      Flow flow, JsonNode parameters, Map<String, String> wanted, List<String> problems) {
    wanted.forEach(
        (name, value) -> {
          if (!said(flow, parameters.path(name).asText("")).equals(value)) {
            problems.add(flow.at("must say " + name + ": " + value));
          }
        });
    if (flow.fromUri().contains("?")) {
      problems.add(flow.at("must write its options below parameters"));
    }
  }

  /** What an option is unless a feed says otherwise, where a template leaves it to its feeds. */
  private static String said(Flow flow, String value) {
    for (JsonNode parameter : flow.yaml().path("parameters")) {
      if (value.equals("{{" + parameter.path("name").asText() + "}}")) {
        return parameter.path("defaultValue").asText("");
      }
    }
    return value;
  }

  @Test
  void everyConsumerCommitsByHandAfterItsRecordIsSafeAndReadsBytes() {
    assertThat(RouteFile.routes()).flatExtracting(KafkaOptionsTest::problems).isEmpty();
    assertThat(RouteFile.routes())
        .flatExtracting(RouteFile::flows)
        .filteredOn(flow -> flow.fromUri().startsWith("kafka:"))
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void eachOptionThatIsMissingOrOtherwiseIsRefused() {
    assertThat(problems(consumer(""))).hasSize(CONSUMER.size() + 2);
    for (Map.Entry<String, String> option : CONSUMER.entrySet()) {
      assertThat(problems(consumer(option.getKey() + ": other"))).hasSize(CONSUMER.size() + 2);
      assertThat(problems(consumer(option.getKey() + ": " + option.getValue())))
          .hasSize(CONSUMER.size() + 1);
    }
  }

  @Test
  void aProducerThatDoesNotWaitForAllReplicasIsRefused() {
    RouteFile file =
        RouteFile.of(
            "routes/a.camel.yaml",
            "- route: {id: a, from: {uri: direct:a, steps: [{to: {id: p, uri: 'kafka:t'}}]}}");
    assertThat(problems(file)).hasSize(PRODUCER.size());
  }

  private static RouteFile consumer(String parameters) {
    return RouteFile.of(
        "routes/a.camel.yaml",
        "- route: {id: a, from: {uri: 'kafka:t', parameters: {%s}, steps: []}}"
            .formatted(parameters));
  }
}
