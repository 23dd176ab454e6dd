package io.failureledger.breaker;

import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.SqlFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;

/**
 * What a person may do to a feed, for all instances: pause it, resume it, look at it. Found in the
 * registry under the name {@code feed-control}. A pause is in the ledger when the call returns, and
 * every instance obeys it within about one {@code breaker.refresh.period}; it stays over restarts.
 * A crash in between leaves the feed as it was or as it was to be; a repeat changes nothing.
 */
public final class FeedControl {
  private final Feeds feeds;
  private final ProducerTemplate camel;

  FeedControl(Feeds feeds, ProducerTemplate camel) {
    this.feeds = feeds;
    this.camel = camel;
  }

  /**
   * A feed as it stands.
   *
   * @param broker null, as source is, of a feed that is not configured
   * @param state running, paused or open; unconfigured of one that has unresolved rows only
   * @param why in words; null while it runs and nothing is to be told
   * @param waitingTargets targets of many whose breakers are not closed, and why
   */
  public record Shown(
      String name,
      String broker,
      String source,
      String state,
      String why,
      List<String> waitingTargets,
      long pending,
      long due,
      long failed) {}

  /**
   * Pauses the feed.
   *
   * @return one sentence that says what came of it
   * @throws IllegalArgumentException naming the configured feeds when it is none of them
   */
  public String pause(String name, String by, String reason) {
    Map<String, Object> before = set(name, true, by, reason);
    if (!Boolean.TRUE.equals(before.get("changed")) && before.get("changed_by") == null) {
      // The statement waited for another's first pause, and does not see what came after it began.
      before = set(name, true, by, reason);
    }
    return Boolean.TRUE.equals(before.get("changed"))
        ? name + " is paused"
        : name
            + " is paused already, since "
            + before.get("changed_at")
            + " by "
            + before.get("changed_by")
            + (before.get("reason") == null ? "" : ": " + before.get("reason"));
  }

  /**
   * Resumes the feed.
   *
   * @return one sentence that says what came of it
   * @throws IllegalArgumentException naming the configured feeds when it is none of them
   */
  public String resume(String name, String by, String reason) {
    return Boolean.TRUE.equals(set(name, false, by, reason).get("changed"))
        ? name + " is resumed"
        : name + " is not paused";
  }

  /**
   * All feeds in the order of their names, and behind them those that have unresolved rows and are
   * not configured.
   */
  public List<Shown> list() {
    List<String> gone =
        ask("find-unconfigured-feeds", names()).stream()
            .map(row -> (String) row.get("feed"))
            .toList();
    String[] all =
        Stream.concat(Arrays.stream(feeds.names()), gone.stream()).toArray(String[]::new);
    Map<String, Map<String, Object>> counts = new HashMap<>();
    ask("count-states", Map.of("feeds", all))
        .forEach(row -> counts.put((String) row.get("feed"), row));
    Map<String, List<Map<String, Object>>> held = new HashMap<>();
    ask("list-breakers", names())
        .forEach(
            row ->
                held.computeIfAbsent((String) row.get("feed"), feed -> new ArrayList<>()).add(row));
    return Stream.concat(
            feeds.all().stream()
                .sorted(java.util.Comparator.comparing(Feed::name))
                .map(feed -> shown(feed, counts.get(feed.name()), held.get(feed.name()))),
            gone.stream().map(feed -> unconfigured(feed, counts.get(feed))))
        .toList();
  }

  private static Shown unconfigured(String feed, Map<String, Object> counts) {
    return new Shown(
        feed,
        null,
        null,
        "unconfigured",
        "no route file has this feed: nobody replays or publishes its rows; put the file back, or move or discard them",
        List.of(),
        (Long) counts.get("pending"),
        (Long) counts.get("due"),
        (Long) counts.get("failed"));
  }

  private static Shown shown(
      Feed feed, Map<String, Object> counts, List<Map<String, Object>> held) {
    FeedPause pause = FeedPause.of(held.get(0));
    List<BreakerState> open =
        held.stream()
            .filter(row -> row.get("target") != null)
            .map(row -> BreakerState.of(row, (String) row.get("target"), 0))
            .filter(state -> !state.closed())
            .toList();
    List<String> ofAll = new ArrayList<>();
    List<String> ofSome = new ArrayList<>();
    for (BreakerState state : open) {
      boolean all =
          state.key().equals(BreakerKey.ofIngest(feed))
              || state.key().equals(BreakerKey.full(feed));
      (all ? ofAll : ofSome).add(state.key().words() + ": " + state.why());
    }
    return new Shown(
        feed.name(),
        feed.broker().name().toLowerCase(java.util.Locale.ROOT),
        feed.source(),
        pause != null ? "paused" : ofAll.isEmpty() ? "running" : "open",
        pause != null ? pause.words() : ofAll.isEmpty() ? null : String.join("; ", ofAll),
        ofSome,
        (Long) counts.get("pending"),
        (Long) counts.get("due"),
        (Long) counts.get("failed"));
  }

  private Map<String, Object> set(String name, boolean paused, String by, String reason) {
    Feed feed = feeds.get(name);
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", feed.name());
    parameters.put("paused", paused);
    parameters.put("reason", reason);
    parameters.put("by", by);
    return ask("set-paused", parameters).get(0);
  }

  private Map<String, Object> names() {
    return Map.of("feeds", feeds.names());
  }

  private List<Map<String, Object>> ask(String what, Map<String, Object> parameters) {
    Exchange done =
        camel.request(
            "direct:control-feed-" + what,
            exchange -> exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters));
    if (done.getException() != null) {
      throw new IllegalStateException("the ledger did not answer", done.getException());
    }
    return BreakerLedger.rows(done);
  }
}
