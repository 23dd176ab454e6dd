package io.failureledger.breaker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What people see of breakers and pauses: one log line a change, the gauges {@code
 * failure_ledger_breaker_state{feed,target}} (0 closed, 1 half-open, 2 open; only of those that
 * this instance saw leave closed) and {@code failure_ledger_feed_paused{feed}}, and the counter
 * {@code failure_ledger_breaker_openings_total{feed,cause}} of those that this instance opened.
 * Every instance reports what it learns. Meters are lost with the process.
 */
public final class BreakerReport {
  private static final Logger LOG = LoggerFactory.getLogger(BreakerReport.class);
  private static final int MOST_NAMED = 20;
  private static final long AGAIN_NANOS = 60_000_000_000L;

  private final MeterRegistry registry;
  private final Map<BreakerKey, BreakerState> left = new ConcurrentHashMap<>();
  private final Map<BreakerKey, Long> probesLogged = new ConcurrentHashMap<>();
  private final Map<String, Boolean> paused = new ConcurrentHashMap<>();

  public BreakerReport(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Makes the meters of the feed visible. A repeat changes nothing. */
  public void register(String feed) {
    if (paused.putIfAbsent(feed, false) == null) {
      Gauge.builder("failure_ledger_feed_paused", () -> paused.get(feed) ? 1 : 0)
          .tag("feed", feed)
          .description("1 while a person has paused the feed")
          .register(registry);
    }
  }

  void paused(String feed, FeedControl.Pause before, FeedControl.Pause now) {
    paused.put(feed, now != null);
    if (before == null && now != null) {
      LOG.warn("{} is {}", feed, now.words());
    } else if (before != null && now == null) {
      LOG.info("{} is resumed", feed);
    }
  }

  void changed(BreakerState before, BreakerState now) {
    int was = before == null ? 0 : before.level();
    boolean trial = now.probedByConsuming() && (before == null || !before.probedByConsuming());
    if (now.level() != 0 && left.put(now.key(), now) == null) {
      Gauge.builder("failure_ledger_breaker_state", () -> left.get(now.key()).level())
          .tag("feed", now.key().feed())
          .tag("target", now.key().target())
          .description("0 closed, 1 half-open, 2 open")
          .register(registry);
    } else {
      left.replace(now.key(), now);
    }
    boolean probing = was + now.level() == 3 && !trial;
    if ((was != now.level() || trial) && (!probing || isTimeToLog(now.key()))) {
      log(was, now);
    }
  }

  /** Probes that fail for hours are logged now and then. */
  private boolean isTimeToLog(BreakerKey key) {
    long now = System.nanoTime();
    Long before = probesLogged.get(key);
    if (before != null && now - before < AGAIN_NANOS) {
      return false;
    }
    probesLogged.put(key, now);
    return true;
  }

  /** This instance opened it. */
  void opened(BreakerState now) {
    Counter.builder("failure_ledger_breaker_openings")
        .tag("feed", now.key().feed())
        .tag("cause", now.cause().text())
        .description("breakers opened by this instance")
        .register(registry)
        .increment();
  }

  private static void log(int was, BreakerState now) {
    String words = now.key().words();
    if (now.closed()) {
      LOG.info("the breaker of {} is closed", words);
    } else if (now.probedByConsuming()) {
      LOG.info("the breaker of {} is half-open: what is consumed next is the probe", words);
    } else if (now.level() == 1) {
      LOG.info("the breaker of {} is half-open: an event of the ledger probes it", words);
    } else if (was == 1) {
      LOG.info("the breaker of {} is open again: {}", words, now.lastError());
    } else {
      LOG.warn("the breaker of {} is {}", words, now.why());
    }
  }

  /** Per breaker that is not closed, why; at most {@value #MOST_NAMED} of them. */
  public Map<String, String> notClosed() {
    Map<String, String> named = new TreeMap<>();
    left.values().stream()
        .filter(state -> !state.closed())
        .limit(MOST_NAMED)
        .forEach(state -> named.put("breaker of " + state.key().words(), state.why()));
    return named;
  }
}
