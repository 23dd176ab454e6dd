package io.failureledger.observe;

import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.EventCounts;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds that have unresolved rows and no route file: a feed was renamed, or its file is gone. It
 * changes nothing.
 */
public final class UnconfiguredFeeds {
  private static final Logger LOG = LoggerFactory.getLogger(UnconfiguredFeeds.class);

  private final Feeds feeds;
  private final EventCounts counts;
  private List<String> logged = List.of();

  public UnconfiguredFeeds(Feeds feeds, EventCounts counts) {
    this.feeds = feeds;
    this.counts = counts;
  }

  /**
   * Logs which they are, once when it finds them and again only when they are others. After a
   * restart, and on each instance, they are logged once more.
   */
  public synchronized void find() throws SQLException {
    List<String> found = counts.unconfigured(feeds.names());
    if (found.equals(logged)) {
      return;
    }
    logged = found;
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
