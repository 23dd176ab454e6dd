package io.failureledger.settings;

import static io.failureledger.settings.Setting.count;
import static io.failureledger.settings.Setting.span;

import java.util.List;

/** Settings of breakers: when a target's events wait, and when they go on. */
final class BreakerSettings {

  static final List<Setting> SETTINGS =
      List.of(
          count(
              "breaker.threshold",
              "20",
              "1",
              "100000",
              "pausing failures in a row, over all instances, that open a target's breaker"),
          Setting.of(
                  "breaker.share",
                  Kind.NUMBER,
                  "0.5",
                  "share of failed events that opens a target's breaker; 0 = off")
              .between("0", "1"),
          count(
              "breaker.share.events",
              "100",
              "1",
              "1000000",
              "events in an instance's window without which the share says nothing"),
          span(
              "breaker.share.window",
              "60s",
              "1s",
              "1h",
              "how far back the share of failures looks"),
          span(
              "breaker.probe.period",
              "10s",
              "100ms",
              "1h",
              "pause between two probes of an open breaker, over all instances"),
          span(
              "breaker.hold",
              "10m",
              "1s",
              "24h",
              "longest wait of a held event before it is looked at again"),
          span(
              "breaker.refresh.period",
              "1s",
              "100ms",
              "60s",
              "how soon an instance learns what others and people did"),
          count(
              "ledger.max.unresolved",
              "1000000",
              "1",
              "100000000",
              "rows of a feed that are not done with; from then on it consumes no more"),
          span(
              "ledger.unresolved.period",
              "5s",
              "100ms",
              "1h",
              "pause between two counts of those rows"));

  private BreakerSettings() {}
}
