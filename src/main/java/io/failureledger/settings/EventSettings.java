package io.failureledger.settings;

import static io.failureledger.settings.Setting.choice;
import static io.failureledger.settings.Setting.count;
import static io.failureledger.settings.Setting.file;
import static io.failureledger.settings.Setting.secret;
import static io.failureledger.settings.Setting.span;
import static io.failureledger.settings.Setting.text;

import java.util.List;

/** Settings of the way of an event up to its handler: sources, feeds, handlers, targets. */
final class EventSettings {

  static final List<Setting> SETTINGS =
      List.of(
          // sources
          text(
              "kafka.brokers",
              "localhost:9092",
              "the brokers to ask first, host:port, separated by commas"),
          choice("kafka.security.protocol", "PLAINTEXT", "how to talk to the brokers")
              .oneOf("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
          text(
              "kafka.sasl.mechanism",
              "",
              "PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, ...; for the SASL protocols"),
          secret(
              "kafka.sasl.jaas.config",
              "the login module with its credentials; for the SASL protocols"),
          file(
              "kafka.ssl.truststore.location",
              "the certificates to trust; empty = those of the JVM"),
          secret("kafka.ssl.truststore.password", "opens the truststore"),
          file("kafka.ssl.keystore.location", "the client's own certificate; empty = none"),
          secret("kafka.ssl.keystore.password", "opens the keystore"),
          count(
              "kafka.fetch.bytes",
              "16777216",
              "1048576",
              "1073741824",
              "bytes of records that a consumer fetches at once"),
          text(
              "pubsub.project",
              "",
              "the Google Cloud project of the subscriptions; needed by Pub/Sub feeds"),
          text("pubsub.endpoint", "", "host:port of an emulator; empty = Google"),
          file("pubsub.credentials", "how to log in at Google")
              .byDefault("application-default")
              .oneOf("application-default", "none"),
          count(
              "pubsub.outstanding.max",
              "1000",
              "1",
              "100000",
              "messages leased at once by each Pub/Sub feed"),
          count(
              "pubsub.outstanding.bytes",
              "16777216",
              "1048576",
              "1073741824",
              "bytes of messages leased at once by each Pub/Sub feed"),
          count("pubsub.threads", "8", "1", "256", "events handled at once by each Pub/Sub feed"),
          // feeds
          text("shopify.subscription", "shopify-events", "the subscription of the feed shopify"),
          text("consumer-graph.topic", "consumer-graph", "the topic of the feed consumer-graph"),
          text("consumer-graph.group", "consumer-graph", "its consumer group"),
          count(
              "consumer-graph.consumers",
              "1",
              "1",
              "64",
              "consumers of the topic in this instance"),
          choice("consumer-graph.order", "", "which of its events keep their order; empty = none")
              .oneOf("subject")
              .mayBeEmpty(),
          span(
              "acknowledge.interval",
              "1s",
              "10ms",
              "60s",
              "longest time between two offset commits of a partition"),
          new Setting(
              "feed.restart.delays",
              Kind.DURATIONS,
              "5s,10s,20s,40s,60s",
              "100ms",
              null,
              List.of(),
              false,
              "waits before a feed that stopped is started again; the last one repeats"),
          count("batch.size", "200", "1", "10000", "events of a batch at most"),
          // handlers and targets
          span("handler.timeout", "30s", "1s", "10m", "longest time that one handler may take"),
          Setting.of(
                  "target.share",
                  Kind.NUMBER,
                  "0.125",
                  "part of a feed's threads and leased messages that a slow target may use")
              .between("0.01", "1"),
          span("target.slow", "1s", "10ms", "10m", "a run that takes longer makes its target slow"),
          span(
              "target.busy.max",
              "1m",
              "1s",
              "1h",
              "longest time until a busy event is tried again"),
          span(
              "source.time.tolerance",
              "5m",
              "1s",
              "24h",
              "how far an event's own time may lie ahead of its first receipt and be believed"),
          text(
              "shopify.export.directory",
              "",
              "where exports for customers/data_request are written; empty = none"),
          count("shopify.pool.size", "4", "1", "100", "connections to each shop database"),
          span(
              "shopify.connect.timeout",
              "5s",
              "250ms",
              "5m",
              "wait for a connection to a shop database"),
          span(
              "shopify.statement.timeout",
              "10s",
              "100ms",
              "1h",
              "longest statement on a shop database"),
          Setting.of("graph.uri", Kind.URL, "bolt://localhost:7687", "the graph, over Bolt")
              .oneOf(
                  "bolt://", "bolt+s://", "bolt+ssc://", "neo4j://", "neo4j+s://", "neo4j+ssc://"),
          text("graph.username", "", "the user at the graph; empty = no login"),
          secret("graph.password", "its password"),
          span(
              "graph.timeout",
              "10s",
              "100ms",
              "1h",
              "longest wait for the graph: connection and write"),
          file(
              "graph.ssl.certificate",
              "a CA certificate (PEM) to trust with bolt+s, neo4j+s; empty = the JVM's"));

  private EventSettings() {}
}
