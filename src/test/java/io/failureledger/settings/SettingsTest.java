package io.failureledger.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

  @TempDir private Path home;
  private final Properties overrides = new Properties();
  private final Properties system = new Properties();
  private final Map<String, String> environment = new HashMap<>();
  private final Properties file = new Properties();

  SettingsTest() {
    file.setProperty("ledger.url", "jdbc:postgresql://db:5432/ledger");
    file.setProperty("ledger.username", "runner");
  }

  private Settings read() {
    return SettingsReader.read(home, new Sources(overrides, system, environment, file));
  }

  private List<String> problems() {
    try {
      read();
    } catch (InvalidSettingsException e) {
      return e.problems();
    }
    return List.of();
  }

  private void route(String content) throws IOException {
    Path feeds = Files.createDirectories(home.resolve("routes/feeds"));
    Files.writeString(feeds.resolve("own.camel.yaml"), content);
  }

  @Test
  void overridesBeatSystemPropertiesBeatEnvironmentBeatsFileBeatsDefault() {
    assertThat(read().integer("replay.batch.size")).isEqualTo(500);
    file.setProperty("replay.batch.size", "1");
    assertThat(read().integer("replay.batch.size")).isEqualTo(1);
    environment.put("REPLAY_BATCH_SIZE", "2");
    assertThat(read().integer("replay.batch.size")).isEqualTo(2);
    system.setProperty("replay.batch.size", "3");
    assertThat(read().integer("replay.batch.size")).isEqualTo(3);
    overrides.setProperty("replay.batch.size", "4");
    assertThat(read().integer("replay.batch.size")).isEqualTo(4);
  }

  @Test
  void dashesAndDotsAreUnderscoresInTheEnvironment() {
    environment.put("DEAD_LETTER_PUBLISH_BATCH", "7");
    assertThat(read().integer("dead-letter.publish.batch")).isEqualTo(7);
  }

  @Test
  void typedValuesAreRead() {
    Settings settings = read();
    assertThat(settings.duration("policy.ledger.cap")).isEqualTo(Duration.ofHours(1));
    assertThat(settings.durations("feed.restart.delays"))
        .extracting(Duration::toSeconds)
        .containsExactly(5L, 10L, 20L, 40L, 60L);
    assertThat(settings.flag("ledger.migrate")).isTrue();
    assertThat(settings.number("policy.persist.factor")).isEqualTo(2.0);
    assertThat(settings.policyNames()).containsExactly("ledger", "persist");
    assertThat(settings.text("instance.name")).endsWith("-" + ProcessHandle.current().pid());
  }

  @Test
  void allValuesAreHandedToCamelAsTheyAre() {
    assertThat(read().asProperties())
        .containsEntry("replay.period", "1s")
        .containsEntry("policy.persist.cap", "30m");
  }

  @Test
  void everyProblemIsToldAtOnce() {
    file.setProperty("replay.parallelism", "0");
    file.setProperty("management.port", "70000");
    file.setProperty("replay.period", "1 second");
    file.setProperty("ledger.ssl.mode", "always");
    file.setProperty("ledger.ssl.root.certificate", "no-such.pem");
    file.remove("ledger.url");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "replay.parallelism=0 is not allowed; it must be a whole number from 1 to 256.",
            "management.port=70000 is not allowed; it must be a port from 1 to 65535.",
            "replay.period=1 second is not allowed; it must be a duration written 500ms, 30s, 5m or 2h from 10ms to"
                + " 1h.",
            "ledger.ssl.mode=always is not allowed; it must be one of disable, allow, prefer, require, verify-ca,"
                + " verify-full.",
            "ledger.ssl.root.certificate=no-such.pem is not allowed; there is no readable file "
                + home.resolve("no-such.pem")
                + ".",
            "ledger.url is not set; it must be a URL that starts with jdbc:postgresql://, without a user name.");
  }

  @Test
  void bothEndsOfARangeAreAllowed() {
    assertThat(Catalogue.all())
        .allSatisfy(
            setting ->
                assertThat(Stream.of(setting.min(), setting.max()).filter(Objects::nonNull))
                    .allSatisfy(end -> assertThat(setting.problem(end)).isEmpty()));
  }

  @Test
  void aNumberThatIsTooLongIsRefused() {
    file.setProperty("pubsub.outstanding.bytes", "9999999999");
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("pubsub.outstanding.bytes=9999999999", "1073741824");
  }

  @Test
  void aLeaseMustOutliveItsHandler() {
    file.setProperty("replay.lease", "30s");
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("replay.lease=30s", "at least three times handler.timeout=30s");
  }

  @Test
  void senselessPoliciesAreRefused() {
    file.setProperty("policy.own.base", "0s");
    file.setProperty("policy.own.factor", "0.5");
    file.setProperty("policy.own.attempts", "0");
    file.setProperty("policy.persist.cap", "10s");
    assertThat(problems())
        .hasSize(4)
        .anyMatch(p -> p.startsWith("policy.own.base=0s"))
        .anyMatch(p -> p.startsWith("policy.own.factor=0.5"))
        .anyMatch(p -> p.startsWith("policy.own.attempts=0"))
        .contains(
            "policy.persist.cap=10s is not allowed; it must be at least policy.persist.base=30s.");
  }

  @Test
  void aPolicyOfOnesOwnStartsFromTheLedgersDefaults() {
    file.setProperty("policy.slow-shop.attempts", "20");
    Settings settings = read();
    assertThat(settings.policyNames()).contains("slow-shop");
    assertThat(settings.integer("policy.slow-shop.attempts")).isEqualTo(20);
    assertThat(settings.text("policy.slow-shop.base")).isEqualTo("60s");
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestKnownOne() {
    file.setProperty("replay.batchsize", "5");
    system.setProperty("ledger.usrname", "x");
    system.setProperty("some.other.program", "x");
    file.setProperty("policy.ledger.atempts", "5");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "unknown setting replay.batchsize; did you mean replay.batch.size?",
            "unknown setting ledger.usrname; did you mean ledger.username?",
            "unknown setting policy.ledger.atempts; did you mean policy.ledger.attempts?");
  }

  @Test
  void aKeyThatNoRouteUsesIsSaidToBeUnused() {
    file.setProperty("weather.station", "x");
    assertThat(problems())
        .containsExactly(
            "unknown setting weather.station; no route uses {{weather.station}} either.");
  }

  @Test
  void keysThatARouteUsesAreKnown() throws IOException {
    route("uri: \"{{orders.url}}?a={{orders.limit:5}}&b={{?orders.token}}\"");
    file.setProperty("orders.url", "http://one");
    file.setProperty("orders.limit", "6");
    environment.put("ORDERS_TOKEN", "t0p");
    Settings settings = read();
    assertThat(settings.asProperties())
        .containsEntry("orders.url", "http://one")
        .containsEntry("orders.limit", "6")
        .containsEntry("orders.token", "t0p");
    assertThat(settings.effective()).contains("orders.token=***").doesNotContain("t0p");
  }

  @Test
  void aTemplatesParameterIsNotTakenFromTheEnvironment() throws IOException {
    route("uri: \"google-pubsub:{{project}}\"");
    environment.put("PROJECT", "of-something-else");
    assertThat(read().asProperties()).doesNotContainKey("project");
  }

  @Test
  void camelsOwnOptionsAreRefused() {
    file.setProperty("camel.component.kafka.breakOnFirstError", "false");
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("Camel's options are set by the bundle");
  }

  @Test
  void aPubSubFeedNeedsAProject() throws IOException {
    route("- templatedRoute:\n    routeTemplateRef: pubsub-feed\n");
    assertThat(problems()).singleElement().asString().startsWith("pubsub.project is not set");
  }

  @Test
  void aFileIsFoundFromTheHomeDirectory() throws IOException {
    Files.writeString(home.resolve("ca.pem"), "x");
    file.setProperty("ledger.ssl.root.certificate", "ca.pem");
    file.setProperty("pubsub.credentials", "none");
    Settings settings = read();
    assertThat(settings.text("ledger.ssl.root.certificate"))
        .isEqualTo(home.resolve("ca.pem").toString());
    assertThat(settings.text("pubsub.credentials")).isEqualTo("none");
  }

  @Test
  void theLineOfEffectiveSettingsShowsWhatDiffersAndHidesSecrets() {
    file.setProperty("ledger.url", "jdbc:postgresql://db/ledger?user=u&password=hush");
    file.setProperty("ledger.password", "hush");
    file.setProperty("replay.period", "2s");
    assertThat(read().effective())
        .startsWith("settings: ")
        .contains("ledger.url=jdbc:postgresql://db/ledger?user=u&password=***")
        .contains("ledger.password=***", "replay.period=2s", "kafka.brokers=localhost:9092")
        .doesNotContain("hush", "replay.lease");
  }

  @Test
  void aRefusedSecretIsNotShown() {
    file.setProperty("ledger.url", "jdbc:mysql://u:hush@db/ledger");
    assertThat(problems()).singleElement().asString().contains("jdbc:mysql://u:***@db/ledger");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Settings.load(home, overrides))
        .isInstanceOf(InvalidSettingsException.class)
        .hasMessageContaining(home.resolve("application.properties") + " cannot be read");
  }

  @Test
  void breakersThatCouldNeverOpenOrCloseAreRefused() {
    file.setProperty("breaker.threshold", "0");
    file.setProperty("breaker.share", "1.5");
    file.setProperty("breaker.probe.period", "0s");
    file.setProperty("ledger.max.unresolved", "0");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "breaker.threshold=0 is not allowed; it must be a whole number from 1 to 100000.",
            "breaker.share=1.5 is not allowed; it must be a number from 0 to 1.",
            "breaker.probe.period=0s is not allowed; it must be a duration written 500ms, 30s, 5m or 2h from 100ms to 1h.",
            "ledger.max.unresolved=0 is not allowed; it must be a whole number from 1 to 100000000.");
  }
}
