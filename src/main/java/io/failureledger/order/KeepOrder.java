package io.failureledger.order;

import io.failureledger.feed.Feed;
import io.failureledger.park.PreparePark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code keep-order} that YAML cannot say, named as the route names them. Each round
 * heals what a crash, an operator or a race left, and asks anew which subjects are blocked; a round
 * that fails is made up for by the next one. Any number of instances may do so at once.
 */
public final class KeepOrder {
  private static final Logger LOG = LoggerFactory.getLogger(KeepOrder.class);

  /** A round may take this part of all time. */
  private static final int SHARE = 10;

  private static final String REFRESHES = "refreshes";
  private static final String BEGAN = "began";

  private final OrderedFeeds feeds;
  private volatile boolean released;
  private volatile long restUntilNanos = System.nanoTime();

  public KeepOrder(OrderedFeeds feeds) {
    this.feeds = feeds;
  }

  /** Whether nobody looked yet for what waits in feeds that keep no order, or keep it no longer. */
  public boolean mayHaveSwitchedOff() {
    return !released && !feeds.unordered().isEmpty();
  }

  public void prepareRelease(Exchange exchange) {
    parameters(exchange, Map.of("feeds", names(feeds.unordered())));
  }

  /** Said once: such feeds park nothing behind anything from now on. */
  public void confirmRelease(Exchange exchange) {
    released = true;
    int rows = exchange.getMessage().getBody(List.class).size();
    if (rows > 0) {
      LOG.warn("{} events no longer wait behind others: their feeds have no order=subject", rows);
    }
  }

  /**
   * Whether a round is due: there are ordered feeds, and the last round was not a long one just
   * now.
   */
  public boolean isDue() {
    return !feeds.ordered().isEmpty() && System.nanoTime() - restUntilNanos >= 0;
  }

  /** Names the feeds whose first events are looked at. */
  public void prepareFind(Exchange exchange) {
    exchange.setProperty(BEGAN, System.nanoTime());
    parameters(exchange, Map.of("feeds", names(feeds.ordered())));
  }

  /** Asks for the subjects that wait although nothing is before them. */
  public void prepareAdvance(Exchange exchange) {
    List<?> rows = exchange.getMessage().getBody(List.class);
    parameters(
        exchange, Map.of("feeds", column(rows, "feed"), "subjects", column(rows, "subject")));
  }

  /** All ordered feeds are to be loaded. */
  public void chooseFeeds(Exchange exchange) {
    exchange.getMessage().setBody(feeds.ordered());
  }

  /** Begins a refresh of the feeds in the body. */
  public void prepareLoad(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Feed> chosen = exchange.getMessage().getBody(List.class);
    Map<Feed, BlockedSubjects.Refresh> refreshes = new HashMap<>();
    chosen.forEach(feed -> refreshes.put(feed, feeds.of(feed).begin()));
    exchange.setProperty(REFRESHES, refreshes);
    parameters(exchange, Map.of("feeds", names(chosen)));
  }

  /** The subjects that were found are blocked, and no others but those that became so meanwhile. */
  public void confirmLoad(Exchange exchange) {
    Map<String, Map<String, Long>> found = new HashMap<>();
    for (Object row : exchange.getMessage().getBody(List.class)) {
      Map<?, ?> subject = (Map<?, ?>) row;
      found
          .computeIfAbsent((String) subject.get("feed"), feed -> new HashMap<>())
          .put((String) subject.get("subject"), (Long) subject.get("events"));
    }
    @SuppressWarnings("unchecked")
    Map<Feed, BlockedSubjects.Refresh> refreshes = exchange.getProperty(REFRESHES, Map.class);
    refreshes.forEach(
        (feed, refresh) -> feeds.of(feed).end(refresh, found.getOrDefault(feed.name(), Map.of())));
  }

  /** After a long round, with very many subjects, the next ones are left out. */
  public void rest(Exchange exchange) {
    long now = System.nanoTime();
    restUntilNanos = now + SHARE * (now - exchange.getProperty(BEGAN, Long.class));
  }

  private static void parameters(Exchange exchange, Map<String, Object> parameters) {
    exchange.getMessage().setHeader(PreparePark.PARAMETERS, new HashMap<>(parameters));
  }

  private static String[] names(List<Feed> feeds) {
    return feeds.stream().map(Feed::name).toArray(String[]::new);
  }

  private static String[] column(List<?> rows, String name) {
    return rows.stream().map(row -> (String) ((Map<?, ?>) row).get(name)).toArray(String[]::new);
  }
}
