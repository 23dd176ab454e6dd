package io.failureledger.breaker;

import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.handler.NotTriedException;
import io.failureledger.ledger.SqlFile;
import io.failureledger.policy.ErrorClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;

/**
 * The steps of {@code watch-breakers}, {@code change-breaker} and others about breakers that YAML
 * cannot say, one method each, named as the routes name them. A crash at any step leaves what the
 * ledger has; the next period of any instance goes on from there.
 */
public final class BreakerSteps {
  private static final String ASKED_NANOS = "asked-nanos";

  /** Exchange property: the breaker that a step is about. */
  public static final String KEY = "breaker";

  private static final int RELEASED_AT_ONCE = 10_000;

  // So that a look that finds much to do is soon followed by the next.
  private static final int PROBED_AT_ONCE = 50;
  private static final int RELEASING_AT_ONCE = 20;

  private final Feeds feeds;
  private final Breakers breakers;
  private final BreakerReport report;
  private final BreakerSettings settings;

  BreakerSteps(Feeds feeds, Breakers breakers, BreakerReport report, BreakerSettings settings) {
    this.feeds = feeds;
    this.breakers = breakers;
    this.report = report;
    this.settings = settings;
  }

  /** Asks for the breakers and pauses of all feeds. */
  public void prepareLook(Exchange exchange) {
    ask(exchange, Map.of("feeds", feeds.names()));
  }

  /** Takes the answer for what holds now, and has feeds stopped and started by it. */
  public void look(Exchange exchange) {
    long asked = exchange.getProperty(ASKED_NANOS, Long.class);
    List<BreakerState> shown = new ArrayList<>();
    for (Map<String, Object> row : BreakerLedger.rows(exchange)) {
      breakers.learnPause(feeds.get((String) row.get("feed")), FeedPause.of(row));
      if (row.get("target") != null) {
        shown.add(BreakerState.of(row, (String) row.get("target"), asked));
      }
    }
    breakers.known().learnAll(shown, asked);
    feeds.all().forEach(breakers::steer);
    breakers.looked(feeds.all());
    breakers.tidy();
    exchange.setProperty(
        "released", breakers.releases().keys().stream().limit(RELEASING_AT_ONCE).toList());
    exchange.getMessage().setBody(breakers.mayProbe(shown).stream().limit(PROBED_AT_ONCE).toList());
  }

  /** The answer to a change: what holds now. None when there was nothing to change. */
  public void learn(Exchange exchange) {
    for (Map<String, Object> row : BreakerLedger.rows(exchange)) {
      BreakerState now = BreakerState.of(row, (String) row.get("target"), System.nanoTime());
      breakers.known().learn(now);
      if (now.level() == 2 && Boolean.TRUE.equals(row.get("changed"))) {
        report.opened(now);
      }
      breakers.steer(feeds.get(now.key().feed()));
    }
  }

  /** Asks for the number of unresolved rows, as far as it matters. */
  public void prepareCount(Exchange exchange) {
    ask(exchange, Map.of("feeds", feeds.names(), "limit", settings.maxUnresolved()));
  }

  public void judgeUnresolved(Exchange exchange) {
    for (Map<String, Object> row : BreakerLedger.rows(exchange)) {
      breakers.unresolved(feeds.get((String) row.get("feed")), (Long) row.get("unresolved"));
    }
  }

  /** Asks for a batch of the events that waited for the breaker in the body. */
  public void prepareRelease(Exchange exchange) {
    BreakerKey key = exchange.getMessage().getBody(BreakerKey.class);
    exchange.setProperty(KEY, key);
    Map<String, Object> parameters = of(key);
    parameters.put("limit", RELEASED_AT_ONCE);
    parameters.put("spread", feeds.get(key.feed()).policy().spread().toMillis() / 1000.0);
    ask(exchange, parameters);
  }

  /** Those that another instance holds just now, it makes due itself. */
  public void confirmRelease(Exchange exchange) {
    breakers
        .releases()
        .released(exchange.getProperty(KEY, BreakerKey.class), BreakerLedger.rows(exchange).size());
  }

  /** Asks for the turn to probe the breaker in the body. */
  public void prepareProbe(Exchange exchange) {
    BreakerKey key = exchange.getMessage().getBody(BreakerKey.class);
    exchange.setProperty(KEY, key);
    Map<String, Object> parameters = of(key);
    parameters.put("probe_period", settings.probePeriodSeconds());
    ask(exchange, parameters);
  }

  /**
   * What came of the turn: no row when another instance has it; an event, which is left in the
   * body; or nothing to probe with, and then what is consumed next is the probe.
   */
  public void takeProbe(Exchange exchange) {
    BreakerKey key = exchange.getProperty(KEY, BreakerKey.class);
    List<Map<String, Object>> rows = BreakerLedger.rows(exchange);
    if (rows.isEmpty()) {
      return;
    }
    Feed feed = feeds.get(key.feed());
    breakers.known().learn(BreakerState.of(rows.get(0), key.target(), System.nanoTime()));
    if (rows.get(0).get("id") == null) {
      exchange.getMessage().setBody(List.of());
      breakers.probeConsuming(feed, key);
    }
  }

  /** Whether the feed in the header may be replayed: see {@link Breakers#mayReplay}. */
  public boolean mayReplay(Exchange exchange) {
    return breakers.mayReplay(exchange.getMessage().getHeader("feed", String.class));
  }

  /** An event that failed at ingest is in the ledger. */
  public void parked(Exchange exchange) {
    Throwable failure = exchange.getProperty(EventProperties.FAILURE, Throwable.class);
    if (failure instanceof NotTriedException) {
      return;
    }
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    ErrorClass errorClass = feed.policy().errors().of(failure);
    breakers.parked(
        feed, exchange.getProperty(EventProperties.TARGET, String.class), errorClass, failure);
  }

  private Map<String, Object> of(BreakerKey key) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", key.feed());
    parameters.put("target", key.target());
    parameters.put("whole_feed", key.equals(BreakerKey.ofIngest(feeds.get(key.feed()))));
    return parameters;
  }

  private static void ask(Exchange exchange, Map<String, Object> parameters) {
    exchange.setProperty(ASKED_NANOS, System.nanoTime());
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }
}
