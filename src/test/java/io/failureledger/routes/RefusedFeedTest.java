package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Feed files with which the bundle does not start, and says why. */
class RefusedFeedTest {

  /** Starts the probe feed and a copy of its file that was given another name and source. */
  private static void startWithCopy(String copied, Map<String, String> settings)
      throws IOException {
    Path home = Home.with("probe", "probe-pubsub");
    Path feed = home.resolve("routes/feeds/probe.camel.yaml");
    String copy =
        Files.readString(feed)
            .replaceAll("(ingest-|handle-|value: | id: )probe\n", "$1" + copied + "\n")
            .replace("\"{{probe.topic}}\"", "another-topic")
            .replace("direct:handle-probe", "direct:handle-" + copied);
    Files.writeString(feed.resolveSibling("copy.camel.yaml"), copy);
    HomeStart.of(home, settings);
  }

  @Test
  void aCopyThatKeepsTheRetryTopicIsRefusedAndBothFeedsAreNamed() {
    assertThatThrownBy(
            () ->
                startWithCopy(
                    "copy", Map.of("probe.retry.topic", "probe-retry", "probe.group", "probe")))
        .hasMessageContainingAll(
            "the topic probe-retry is the retry-topic of the feed ",
            " probe",
            " copy",
            "allowed is a retry-topic of its own for each feed");
  }

  @Test
  void aBrokerThatThereIsNotIsRefusedWithThoseThatThereAre() throws IOException {
    Path home = Home.with("probe", "probe-pubsub");
    Path feed = home.resolve("routes/feeds/probe.camel.yaml");
    Files.writeString(
        feed,
        Files.readString(feed)
            .replaceFirst(
                "(    parameters:\n)", "$1      - name: broker\n        value: rabbit\n"));
    assertThatThrownBy(() -> HomeStart.of(home, Map.of()))
        .hasStackTraceContaining(
            "the feed probe: no broker is called 'rabbit'; allowed are kafka, pubsub");
  }

  @Test
  void aNameThatNoRowMayHaveIsRefused() throws IOException {
    startWithCopy("n".repeat(100), Map.of());
    assertThatThrownBy(() -> startWithCopy("n".repeat(101), Map.of()))
        .hasMessageContaining("nnn has a name of 101 characters")
        .hasMessageEndingWith("allowed are 1 to 100");
  }
}
