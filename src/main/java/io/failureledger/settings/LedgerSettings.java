package io.failureledger.settings;

import static io.failureledger.settings.Setting.choice;
import static io.failureledger.settings.Setting.count;
import static io.failureledger.settings.Setting.file;
import static io.failureledger.settings.Setting.secret;
import static io.failureledger.settings.Setting.span;
import static io.failureledger.settings.Setting.text;

import java.util.List;

/** Settings of the ledger, replay, order, dead-letter topic, backfill and operation. */
final class LedgerSettings {

  static final List<Setting> SETTINGS =
      List.of(
          // ledger
          Setting.of("ledger.url", Kind.URL, "", "the Postgres database of the ledger")
              .oneOf("jdbc:postgresql://"),
          Setting.of("ledger.username", Kind.TEXT, "", "the user at the ledger"),
          secret("ledger.password", "its password"),
          count("ledger.pool.size", "10", "2", "200", "connections to the ledger"),
          span(
              "ledger.connect.timeout", "5s", "250ms", "5m", "wait for a connection to the ledger"),
          span("ledger.statement.timeout", "10s", "100ms", "1h", "longest statement on the ledger"),
          Setting.of(
              "ledger.migrate",
              Kind.BOOLEAN,
              "true",
              "create and upgrade the tables at the start of run"),
          choice(
                  "ledger.ssl.mode",
                  "prefer",
                  "how strictly to encrypt the connections to the ledger")
              .oneOf("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
          file(
              "ledger.ssl.root.certificate",
              "the CA certificate (PEM) for verify-ca and verify-full"),
          count(
              "event.oversized.bytes",
              "921600",
              "1024",
              "921600",
              "key, value and headers above this are oversized for a topic"),
          count(
              "reopen.max",
              "3",
              "0",
              "1000",
              "how often a resolved event that fails again is reopened"),
          // replay
          span("replay.period", "1s", "10ms", "1h", "pause between two looks for due rows"),
          count("replay.batch.size", "500", "1", "10000", "rows claimed at once"),
          count(
              "replay.batch.bytes",
              "67108864",
              "1048576",
              "1073741824",
              "bytes of events being replayed at once"),
          count("replay.parallelism", "8", "1", "256", "handlers of each feed replaying at once"),
          count("replay.slice.size", "500", "1", "10000", "outcomes settled in one statement"),
          span(
              "replay.lease",
              "120s",
              "2s",
              "24h",
              "how long a claim holds; at least three times handler.timeout"),
          count(
              "replay.claims.max",
              "3",
              "1",
              "100",
              "claims in a row without a settle; the next one is a failed attempt"),
          // order
          span("erase.period", "1s", "100ms", "1h", "pause between two looks at what is erased"),
          span("order.period", "1s", "10ms", "1h", "pause between two looks for blocked subjects"),
          count(
              "order.max.behind",
              "1000",
              "1",
              "1000000",
              "events of a subject that may wait behind its first"),
          // dead-letter topic and recovery
          span(
              "dead-letter.publish.period",
              "1s",
              "10ms",
              "1h",
              "pause between two looks for rows to publish"),
          count("dead-letter.publish.batch", "100", "1", "10000", "records published at once"),
          count(
              "dead-letter.publish.bytes",
              "16777216",
              "1048576",
              "1073741824",
              "bytes of events published at once"),
          text(
              "consumer-graph.retry.topic",
              "consumer-graph-persist-retry",
              "where to park while the ledger is down"),
          text(
              "consumer-graph.retry.group",
              "consumer-graph-persist-retry-consumer",
              "the group that drains it"),
          text(
              "consumer-graph.dead-letter.topic",
              "consumer-graph-persist-dlq",
              "where failed events are published"),
          text(
              "consumer-graph.dead-letter.group",
              "consumer-graph-persist-dlq-collector",
              "the group that reads it"),
          Setting.of("backfill.url", Kind.BASE_URL, "", "the backfill endpoint; empty = off")
              .oneOf("http://", "https://")
              .mayBeEmpty(),
          choice("backfill.target", "neptune", "the target named in the request")
              .oneOf("neptune", "both"),
          count("backfill.batch.size", "500", "1", "10000", "user ids in one request"),
          span(
              "backfill.period",
              "10s",
              "10ms",
              "24h",
              "pause between two looks for users to backfill"),
          count("backfill.parallelism", "4", "1", "64", "requests at once"),
          span("backfill.timeout", "30s", "100ms", "1h", "longest time for one whole request"),
          span(
              "backfill.backoff.base",
              "10s",
              "10ms",
              "24h",
              "wait after the first refused request; doubled"),
          span("backfill.backoff.cap", "10m", "10ms", "24h", "longest wait between two requests"),
          // operation
          text("instance.name", "", "this instance's name in leases and logs; empty = host-pid"),
          Setting.of(
              "management.host",
              Kind.HOST,
              "127.0.0.1",
              "the address that serves health and metrics"),
          Setting.of(
              "management.port", Kind.PORT, "8081", "the port that serves health and metrics"),
          choice("log.format", "text", "how log lines are written").oneOf("text", "json"),
          choice("log.level", "INFO", "the least level of the bundle's own log lines")
              .oneOf("TRACE", "DEBUG", "INFO", "WARN", "ERROR"),
          span(
              "timer.step.max",
              "10m",
              "1s",
              "24h",
              "longest step of a scheduled route that is nothing strange"),
          span(
              "shutdown.timeout", "30s", "1s", "1h", "how long a stop waits for events in flight"));

  private LedgerSettings() {}
}
