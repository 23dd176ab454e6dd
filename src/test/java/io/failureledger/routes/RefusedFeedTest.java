package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void aNameThatWouldMakeAHandlerAnotherFeedsBatchHandlerIsRefused() {
    assertThatThrownBy(() -> startWithCopy("probe-batch", Map.of()))
        .hasStackTraceContaining(
            "the feed probe-batch ends in -batch: its handler would be the batch handler of a feed probe;"
                + " allowed is any other name");
  }

  @Test
  void aBatchKeyThatNothingReadsIsRefused() {
    assertThatThrownBy(
            () ->
                HomeStart.of(
                    Home.with("probe", "probe-pubsub"), Map.of("probe.batch-key", "json:/to")))
        .hasStackTraceContaining(
            "the feed probe has batch-key=json:/to but no batch handler; allowed with a route"
                + " handle-probe-batch only");
  }

  @Test
  void aBatchKeyThatSelectsNothingIsRefused() {
    assertThatThrownBy(() -> startInBatches(Map.of("probe.batch-key", "to")))
        .hasStackTraceContaining(
            "the feed probe: 'to' selects nothing: allowed are header:<name>, json:/<pointer> and empty");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 'batch-size=0; allowed are 1 to 10000'",
    "many, 'batch-size=many; allowed is a whole number'"
  })
  void aBatchSizeThatIsNoneIsRefused(String size, String said) throws IOException {
    Path home = Home.with("probe", "probe-in-batches", "probe-pubsub");
    Path feed = home.resolve("routes/feeds/probe.camel.yaml");
    Files.writeString(
        feed,
        Files.readString(feed)
            .replaceFirst(
                "(    parameters:\n)",
                "$1      - name: batch-size\n        value: " + size + "\n"));
    assertThatThrownBy(() -> HomeStart.of(home, Map.of()))
        .hasStackTraceContaining("the feed probe: " + said);
  }

  @Test
  void aBatchHandlerThatNobodyCanCallIsRefused() throws IOException {
    Path home = Home.with("probe", "probe-in-batches", "probe-pubsub");
    Path handler = home.resolve("routes/feeds/probe-in-batches.camel.yaml");
    Files.writeString(
        handler,
        Files.readString(handler).replace("direct:handle-probe-batch", "direct:probe-batch"));
    assertThatThrownBy(() -> HomeStart.of(home, Map.of()))
        .hasStackTraceContaining(
            "the feed probe: the route handle-probe-batch begins with direct:probe-batch; allowed is"
                + " direct:handle-probe-batch");
  }

  @Test
  void aFeedWithABatchHandlerStarts() {
    assertThatCode(() -> startInBatches(Map.of("probe.batch-key", "json:/to")))
        .doesNotThrowAnyException();
  }

  private static void startInBatches(Map<String, String> settings) {
    HomeStart.of(Home.with("probe", "probe-in-batches", "probe-pubsub"), settings);
  }

  @Test
  void aNameThatNoRowMayHaveIsRefused() throws IOException {
    startWithCopy("n".repeat(100), Map.of());
    assertThatThrownBy(() -> startWithCopy("n".repeat(101), Map.of()))
        .hasMessageContaining("nnn has a name of 101 characters")
        .hasMessageEndingWith("allowed are 1 to 100");
  }
}
