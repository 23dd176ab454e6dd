package io.failureledger.observe;

import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.SqlFile;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code find-unconfigured-feeds}: says which feeds have unresolved rows and are not
 * configured, once when it finds them and again only when they are others. It changes nothing;
 * after a restart, and on each instance, it is said once more.
 */
public final class UnconfiguredFeeds {
  private static final Logger LOG = LoggerFactory.getLogger(UnconfiguredFeeds.class);

  private final Feeds feeds;
  private List<String> told = List.of();

  public UnconfiguredFeeds(Feeds feeds) {
    this.feeds = feeds;
  }

  public void prepareFind(Exchange exchange) {
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, Map.of("feeds", feeds.names()));
  }

  public synchronized void tell(Exchange exchange) {
    List<?> rows = exchange.getMessage().getBody(List.class);
    List<String> found = rows.stream().map(row -> (String) ((Map<?, ?>) row).get("feed")).toList();
    if (found.equals(told)) {
      return;
    }
    told = found;
    if (found.isEmpty()) {
      LOG.info("no feed has unresolved rows any more that is not configured");
    } else {
      LOG.warn(
          "unresolved rows of feeds that are not configured: {}. Nobody replays, publishes or counts them, unless"
              + " another bundle on this ledger has these feeds. Put their route files back, or move or discard their"
              + " rows: docs/states.md, \"Rows of a feed that is gone\"",
          String.join(", ", found));
    }
  }
}
