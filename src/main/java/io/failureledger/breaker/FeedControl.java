package io.failureledger.breaker;

import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.BreakerRows;
import io.failureledger.ledger.EventCounts;
import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.StorableTime;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a person may do to a feed, for all instances: pause it, resume it, look at it. Found in the
 * registry under the name {@code feed-control}. A pause is in the ledger when the call returns, and
 * every instance obeys it within about one {@code breaker.refresh.period}; it stays over restarts.
 * A crash in between leaves the feed as it was or as it was to be; a repeat changes nothing.
 *
 * <p>Each method throws an {@link IllegalStateException} when the ledger did not answer.
 */
public final class FeedControl {
  private final Feeds feeds;
  private final FeedControls controls;
  private final BreakerRows breakers;
  private final EventCounts counts;

  public FeedControl(Feeds feeds, Ledger ledger) {
    this.feeds = feeds;
    this.controls = new FeedControls(ledger);
    this.breakers = new BreakerRows(ledger);
    this.counts = new EventCounts(ledger);
  }

  /**
   * A feed that a person has paused.
   *
   * @param reason as the person gave it; null without one
   */
  record Pause(String by, Instant since, String reason) {
    /** Null when the row says that the feed is not paused. */
    static Pause of(BreakerRows.FeedRow row) {
      return row.paused()
          ? new Pause(row.changedBy(), StorableTime.ofMicros(row.changedMicros()), row.reason())
          : null;
    }

    String words() {
      return "paused since "
          + since.truncatedTo(ChronoUnit.SECONDS)
          + " by "
          + by
          + (reason == null ? "" : ": " + reason);
    }
  }

  /**
   * A feed as it stands.
   *
   * @param broker null, as source is, of a feed that is not configured
   * @param state running, paused or open; unconfigured of one that has unresolved rows only
   * @param why in words; null while it runs
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
    FeedControls.Before before = set(name, true, by, reason);
    return before.changed()
        ? name + " is paused"
        : name
            + " is paused already, since "
            + before.changedAt()
            + " by "
            + before.changedBy()
            + (before.reason() == null ? "" : ": " + before.reason());
  }

  /**
   * Resumes the feed.
   *
   * @return one sentence that says what came of it
   * @throws IllegalArgumentException naming the configured feeds when it is none of them
   */
  public String resume(String name, String by, String reason) {
    return set(name, false, by, reason).changed() ? name + " is resumed" : name + " is not paused";
  }

  /**
   * All feeds in the order of their names, and behind them those that have unresolved rows and are
   * not configured.
   */
  public List<Shown> list() {
    return asked(
        () -> {
          List<String> gone = counts.unconfigured(feeds.names());
          String[] all =
              Stream.concat(Arrays.stream(feeds.names()), gone.stream()).toArray(String[]::new);
          Map<String, EventCounts.States> rows =
              counts.states(all).stream()
                  .collect(Collectors.toMap(EventCounts.States::feed, Function.identity()));
          Map<String, List<BreakerRows.FeedRow>> held =
              breakers.list(feeds.names()).stream()
                  .collect(Collectors.groupingBy(BreakerRows.FeedRow::feed));
          return Stream.concat(
                  feeds.all().stream()
                      .sorted(Comparator.comparing(Feed::name))
                      .map(feed -> shown(feed, rows.get(feed.name()), held.get(feed.name()))),
                  gone.stream().map(feed -> unconfigured(rows.get(feed))))
              .toList();
        });
  }

  private static Shown unconfigured(EventCounts.States rows) {
    return new Shown(
        rows.feed(),
        null,
        null,
        "unconfigured",
        "no route file has this feed: nobody replays or publishes its rows; put the file back, or move or discard them",
        List.of(),
        rows.pending(),
        rows.due(),
        rows.failed());
  }

  private static Shown shown(Feed feed, EventCounts.States rows, List<BreakerRows.FeedRow> held) {
    Pause pause = Pause.of(held.get(0));
    List<String> ofAll = new ArrayList<>();
    List<String> ofSome = new ArrayList<>();
    for (BreakerRows.FeedRow row : held) {
      BreakerState state = row.breaker().map(open -> BreakerState.of(open, 0)).orElse(null);
      if (state != null && !state.closed()) {
        boolean all =
            state.key().equals(BreakerKey.ofIngest(feed))
                || state.key().equals(BreakerKey.full(feed));
        (all ? ofAll : ofSome).add(state.key().words() + ": " + state.why());
      }
    }
    return new Shown(
        feed.name(),
        feed.broker().name().toLowerCase(Locale.ROOT),
        feed.source(),
        pause != null ? "paused" : ofAll.isEmpty() ? "running" : "open",
        pause != null ? pause.words() : ofAll.isEmpty() ? null : String.join("; ", ofAll),
        ofSome,
        rows.pending(),
        rows.due(),
        rows.failed());
  }

  private FeedControls.Before set(String name, boolean paused, String by, String reason) {
    Feed feed = feeds.get(name);
    return asked(() -> controls.setPaused(feed.name(), paused, by, reason));
  }

  private interface Question<T> {
    T answer() throws SQLException;
  }

  private static <T> T asked(Question<T> question) {
    try {
      return question.answer();
    } catch (SQLException e) {
      throw new IllegalStateException("the ledger did not answer", e);
    }
  }
}
