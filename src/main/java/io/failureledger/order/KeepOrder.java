package io.failureledger.order;

import io.failureledger.feeds.Feed;
import io.failureledger.ledger.SqlFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;

/**
 * The steps of {@code keep-order} that YAML cannot say, named as the route names them. Each round
 * asks anew which subjects of a feed are blocked; a round that fails is made up for by the next
 * one.
 */
public final class KeepOrder {
  private static final String REFRESHES = "refreshes";
  private static final String BEGAN = "began";

  private final OrderedFeeds feeds;
  private final LookPauses rests = new LookPauses();

  public KeepOrder(OrderedFeeds feeds) {
    this.feeds = feeds;
  }

  /** Whether a round is due: the feed's last round was not a long one just now. */
  public boolean isDue(Exchange exchange) {
    return rests.over(feed(exchange));
  }

  /** The feed in the header is to be loaded. */
  public void chooseFeed(Exchange exchange) {
    exchange.setProperty(BEGAN, System.nanoTime());
    exchange.getMessage().setBody(List.of(feeds.get(feed(exchange))));
  }

  /** Begins a refresh of the feeds in the body. */
  public void prepareLoad(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Feed> chosen = exchange.getMessage().getBody(List.class);
    Map<Feed, BlockedSubjects.Refresh> refreshes = new HashMap<>();
    chosen.forEach(feed -> refreshes.put(feed, feeds.of(feed).begin()));
    exchange.setProperty(REFRESHES, refreshes);
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feeds", chosen.stream().map(Feed::name).toArray(String[]::new));
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
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
    rests.after(feed(exchange), System.nanoTime() - exchange.getProperty(BEGAN, Long.class));
  }

  private static String feed(Exchange exchange) {
    return exchange.getMessage().getHeader("feed", String.class);
  }
}
