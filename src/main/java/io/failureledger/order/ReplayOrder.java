package io.failureledger.order;

import io.failureledger.event.Causes;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.SqlFile;
import io.failureledger.replay.Outcome;
import io.failureledger.replay.SettleSteps;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What replays of ordered feeds do more than others, named as the routes name it: only the first
 * unresolved event of a subject is run, and when it is resolved the next one becomes due. A crash
 * between the two leaves the next one waiting until {@code advance-waiting} finds it.
 */
public final class ReplayOrder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayOrder.class);
  private static final String CLAIMED = "claimed-rows";

  private final Feeds feeds;
  private final PromptClaims claims;
  private final boolean claimsSoon;

  /**
   * @param claim claims due events of a feed and says how many
   * @param claimsSoon whether what became due is claimed at once; else somebody else claims it
   */
  public ReplayOrder(Feeds feeds, ToIntFunction<String> claim, boolean claimsSoon) {
    this.feeds = feeds;
    this.claims = new PromptClaims(claim);
    this.claimsSoon = claimsSoon;
  }

  /** Whether the claim found events of an ordered feed. */
  public boolean claimedInOrder(Exchange exchange) {
    return feeds.get(exchange.getMessage().getHeader("feed", String.class)).ordered()
        && !exchange.getMessage().getBody(List.class).isEmpty();
  }

  /** Asks whether the claimed events are the first of their subjects. */
  public void prepareHold(Exchange exchange) {
    List<Map<String, Object>> rows = rows(exchange);
    exchange.setProperty(CLAIMED, rows);
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("ids", longs(rows, "id"));
    parameters.put("tokens", longs(rows, "lease_token"));
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  /** Leaves the events that may be replayed as the body. */
  public void dropHeld(Exchange exchange) {
    Set<Object> held = new HashSet<>();
    rows(exchange).forEach(row -> held.add(row.get("id")));
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> claimed = exchange.getProperty(CLAIMED, List.class);
    if (!held.isEmpty()) {
      LOG.warn("{} rows were due before their subjects' first events, and wait again", held.size());
    }
    exchange
        .getMessage()
        .setBody(claimed.stream().filter(row -> !held.contains(row.get("id"))).toList());
  }

  /** Whether the settled slice resolved events of ordered feeds. */
  public boolean resolvedInOrder(Exchange exchange) {
    return slice(exchange).stream().anyMatch(ReplayOrder::advances);
  }

  /** Names the subjects whose first events were resolved. */
  public void prepareAdvance(Exchange exchange) {
    List<Outcome> resolved = slice(exchange).stream().filter(ReplayOrder::advances).toList();
    Map<String, Object> parameters = new HashMap<>();
    parameters.put(
        "feeds", resolved.stream().map(outcome -> outcome.feed().name()).toArray(String[]::new));
    parameters.put("subjects", resolved.stream().map(ReplayOrder::subject).toArray(String[]::new));
    parameters.put("limit", AdvanceWaiting.ROWS);
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  /** What became due is claimed at once. */
  public void claimAdvanced(Exchange exchange) {
    if (claimsSoon) {
      rows(exchange).stream()
          .filter(row -> (Long) row.get("due") > 0)
          .map(row -> (String) row.get("feed"))
          .distinct()
          .forEach(claims::accept);
    }
  }

  /** One sentence; the next round of advance-waiting makes up for it. */
  public void leaveToNextRound(Exchange exchange) {
    LOG.warn(
        "events behind resolved ones could not be made due ({}); tried again after order.period",
        Causes.sentence(exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class)));
  }

  /** The bundle stops: nothing more is claimed. */
  public void end() {
    claims.end();
  }

  @Override
  public void close() {
    claims.close();
  }

  private static boolean advances(Outcome outcome) {
    return outcome.kind() == Outcome.Kind.RESOLVE
        && outcome.feed().ordered()
        && subject(outcome) != null;
  }

  private static String subject(Outcome outcome) {
    return OrderedSubject.of(outcome.claim().key());
  }

  @SuppressWarnings("unchecked")
  private static List<Outcome> slice(Exchange exchange) {
    return exchange.getProperty(SettleSteps.SLICE, List.class);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Exchange exchange) {
    return exchange.getMessage().getBody(List.class);
  }

  private static long[] longs(List<Map<String, Object>> rows, String name) {
    return rows.stream().mapToLong(row -> (Long) row.get(name)).toArray();
  }
}
