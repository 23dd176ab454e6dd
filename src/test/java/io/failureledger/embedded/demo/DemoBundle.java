package io.failureledger.embedded.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.PostgresService;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;

/**
 * The bundle as it is shipped, with its routes and defaults, on the embedded servers. Only the
 * delays are shortened.
 */
final class DemoBundle implements AutoCloseable {
  private static final String[] SHORT_DELAYS = {
    "policy.ledger.first=0s",
    "policy.ledger.base=500ms",
    "policy.ledger.factor=2",
    "policy.ledger.cap=3s",
    "policy.ledger.attempts=9",
    "policy.persist.first=500ms",
    "policy.persist.base=500ms",
    "policy.persist.factor=2",
    "policy.persist.cap=2s",
    "policy.persist.attempts=5",
    "replay.period=200ms",
    "dead-letter.publish.period=200ms",
    "acknowledge.interval=200ms",
    "feed.restart.delays=500ms,1s,2s",
    "backfill.period=1s",
    "backfill.backoff.base=500ms",
    "backfill.backoff.cap=5s",
    "shopify.connect.timeout=2s",
    "shutdown.timeout=10s",
  };

  private final Settings settings;
  private final Path home;
  private Main main;

  DemoBundle(Path home, DemoServices services, String backfillUrl) {
    this.home = home;
    Properties own = new Properties();
    for (String setting : SHORT_DELAYS) {
      own.setProperty(setting.split("=")[0], setting.split("=")[1]);
    }
    own.setProperty("ledger.url", services.ledgerUrl());
    own.setProperty("ledger.username", PostgresService.USER);
    own.setProperty("kafka.brokers", services.kafkaBrokers());
    own.setProperty("kafka.security.protocol", "PLAINTEXT");
    own.setProperty("consumer-graph.topic", DemoServices.TOPIC);
    own.setProperty("consumer-graph.retry.topic", DemoServices.RETRY_TOPIC);
    own.setProperty("consumer-graph.dead-letter.topic", DemoServices.DEAD_LETTER_TOPIC);
    own.setProperty("consumer-graph.consumers", String.valueOf(DemoServices.PARTITIONS));
    own.setProperty("pubsub.project", DemoServices.PROJECT);
    own.setProperty("pubsub.endpoint", services.pubSubEndpoint());
    own.setProperty("pubsub.credentials", "none");
    own.setProperty("shopify.subscription", DemoServices.SUBSCRIPTION);
    own.setProperty("graph.uri", services.graphUri());
    own.setProperty("backfill.url", backfillUrl);
    own.setProperty("management.port", String.valueOf(FreePort.find()));
    own.setProperty("instance.name", "demo");
    settings = Settings.load(home, own);
  }

  String group() {
    return settings.text("consumer-graph.group");
  }

  String deadLetterGroup() {
    return settings.text("consumer-graph.dead-letter.group");
  }

  String retryGroup() {
    return settings.text("consumer-graph.retry.group");
  }

  /** Where health and metrics are. */
  String observeUrl() {
    return "http://"
        + settings.text("management.host")
        + ":"
        + settings.integer("management.port")
        + "/observe";
  }

  /** Creates the ledger's tables. */
  void migrate() {
    try (HikariDataSource owner = LedgerDataSource.forMigrations(settings)) {
      new Migrations(owner).migrate();
    }
  }

  /** Starts the bundle; every run of a handler is written to the journal. */
  void start(Journal journal) {
    main = Bundle.create(home, settings, Mode.RUN);
    main.addMainListener(
        new MainListenerSupport() {
          @Override
          public void beforeInitialize(BaseMainSupport starting) {
            starting.getCamelContext().addRoutePolicyFactory(journal);
          }
        });
    main.start();
  }

  @Override
  public void close() {
    if (main != null) {
      main.stop();
    }
  }
}
