package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.PostgresService;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.camel.main.Main;

/**
 * What one scenario runs against: a ledger database and topics of its own on the real servers, a
 * home with the shipped routes and the feeds the scenario asks for, and any number of bundles on
 * them.
 */
final class Site implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  final String name = "s" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet();
  final Path home;
  final ProbeHandler probe = new ProbeHandler();
  final BatchProbe batches = new BatchProbe(probe);
  final LedgerView ledger;
  private final Properties properties = new Properties();
  private final List<Main> bundles = new ArrayList<>();
  private int managementPort;

  /**
   * @param feeds files below {@code src/test/resources/routes/feeds} without ending; the shipped
   *     feeds are left out
   */
  Site(String... feeds) {
    home = Home.with(feeds);
    Servers.createLedger(name);
    set("ledger.url", Servers.postgres().jdbcUrl(name));
    set("ledger.username", PostgresService.USER);
    set("kafka.brokers", "localhost:1");
    set("pubsub.project", "test");
    set("management.port", Integer.toString(FreePort.find()));
    set("instance.name", name);
    set("feed.restart.delays", "100ms,200ms");
    set("ledger.connect.timeout", "1s");
    set("replay.period", "100ms");
    set("dead-letter.publish.period", "100ms");
    set("acknowledge.interval", "100ms");
    for (String quality : List.of("first=1h", "base=1m", "factor=2", "cap=1h", "attempts=5")) {
      set("policy.probe." + quality.split("=")[0], quality.split("=")[1]);
    }
    ledger = new LedgerView(Servers.postgres().jdbcUrl(name));
  }

  Site set(String key, String value) {
    properties.setProperty(key, value);
    return this;
  }

  String get(String key) {
    return properties.getProperty(key);
  }

  /** Creates topics for the probe feed and points the bundle at the broker. */
  Site withKafka(int partitions) {
    set("kafka.brokers", Servers.kafka().bootstrapServers());
    for (String topic : List.of("probe.topic", "probe.retry.topic", "probe.dead-letter.topic")) {
      if (!Home.names(home, topic)) {
        continue;
      }
      set(topic, name + "-" + topic.replace('.', '-'));
      Servers.kafka().createTopic(get(topic), topic.equals("probe.topic") ? partitions : 1);
    }
    if (Home.names(home, "probe.group")) {
      set("probe.group", name);
    }
    return this;
  }

  /**
   * How long the stop of a Kafka route waits for a consumer whose thread is stuck, before it waits
   * so long again and gives it up. Shipped are 5 s.
   */
  Site consumerStopTimeout(int millis) {
    return changeTemplate("shutdownTimeout: \\d+", "shutdownTimeout: " + millis);
  }

  /** A consumer asks its group's coordinator each second, and waits 6 s for an answer, not 30. */
  Site impatientConsumer() {
    return changeTemplate(
        "( +)pollTimeoutMs: .*",
        "$0\n$1sessionTimeoutMs: 6000\n$1heartbeatIntervalMs: 1000\n$1consumerRequestTimeoutMs: 6000");
  }

  private Site changeTemplate(String option, String replacement) {
    Path template = home.resolve("routes/templates/kafka-feed.camel.yaml");
    try {
      String shipped = Files.readString(template);
      String changed = shipped.replaceAll(option, replacement);
      if (changed.equals(shipped)) {
        throw new IllegalStateException("the template has no " + option);
      }
      Files.writeString(template, changed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  Site withPubSub() {
    set("pubsub.endpoint", Servers.pubSub().endpoint());
    set("pubsub.credentials", "none");
    set("probe.subscription", name);
    return this;
  }

  /** The bundle logs in with a role of its own, which owns nothing and may be refused things. */
  Site asRunner() {
    ledger.run("create role " + runner() + " login");
    ledger.run(Grants.shippedForRunner(runner()));
    set("ledger.url", get("ledger.url").replaceAll("\\?.*", ""));
    set("ledger.username", runner());
    return set("ledger.migrate", "false");
  }

  /** The ledger is a database of the same name on another server, migrated. */
  Site onLedger(int port) {
    PostgresService.createDatabase(port, name);
    set("ledger.url", PostgresService.jdbcUrl(port, name));
    try (var owner = LedgerDataSource.forMigrations(settings())) {
      new Migrations(owner).migrate();
    }
    return this;
  }

  /** For the next test of a site whose bundle runs on: nothing of an earlier one is left. */
  void clear() {
    await().atMost(30, SECONDS).until(() -> ledger.count("lease_owner is not null") == 0);
    ledger.run("delete from failed_event_attempt");
    ledger.run("delete from failed_event");
    probe.order(ProbeHandler.SUCCEED);
    probe.seen().clear();
  }

  String runner() {
    return "runner_" + name;
  }

  /** What the bundle started last counts under this name, over all tags. */
  double counted(String metric) {
    return Metrics.sum(managementPort, metric);
  }

  /** The same with what it tells while all is well. */
  String healthInFull() {
    return Metrics.healthInFull(managementPort);
  }

  /** What the bundle started last says of itself, readiness included. */
  String health() {
    return Metrics.health(managementPort);
  }

  /** A check that a busy machine does not answer in time is down for a moment. */
  void awaitUp() {
    await().atMost(30, SECONDS).until(() -> !health().contains("DOWN"));
  }

  Settings settings() {
    return Settings.load(home, properties);
  }

  /** Starts a bundle; it is stopped with the site. */
  Main start() {
    return start(Map.of());
  }

  /** Starts a bundle and waits until each of its routes consumes. */
  Main startConsuming() {
    Main main = start();
    await().atMost(30, SECONDS).until(() -> !health().contains("not consuming"));
    return main;
  }

  /** Settings as a bundle in another process reads them. */
  Properties properties() {
    Properties own = new Properties();
    own.putAll(properties);
    own.setProperty("management.port", Integer.toString(FreePort.find()));
    own.setProperty("instance.name", name + "-forked");
    return own;
  }

  Main start(Map<String, String> more) {
    return start(more, main -> {});
  }

  /** With beans of a scenario's own. */
  Main start(Consumer<Main> beans) {
    return start(Map.of(), beans);
  }

  private Main start(Map<String, String> more, Consumer<Main> beans) {
    Properties own = new Properties();
    own.putAll(properties);
    managementPort = FreePort.find();
    own.setProperty("management.port", Integer.toString(managementPort));
    own.putAll(more);
    Main main = Bundle.create(home, Settings.load(home, own), Mode.RUN);
    main.bind("probe", probe);
    main.bind("probe-batch", batches);
    beans.accept(main);
    main.start();
    bundles.add(main);
    return main;
  }

  void stop(Main main) {
    bundles.remove(main);
    main.stop();
  }

  @Override
  public void close() {
    bundles.forEach(Main::stop);
    ledger.close();
    Home.delete(home);
  }
}
