package io.failureledger.replay;

import io.failureledger.breaker.Breakers;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.HeldEvents;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.ProducerTemplate;

/**
 * The round of replay behind the {@code retry} command, on the same routes as the timer's. An
 * operator asked for it: it runs on a paused feed too, holds nothing, and takes a held row that is
 * asked for by its id. A success closes the breaker of its target.
 */
public final class RetryNow implements Retry {
  private final Feeds feeds;
  private final ReplayWindows windows;
  private final ReplayCounters tally;
  private final Breakers breakers;
  private final HeldEvents held;
  private final ProducerTemplate camel;

  public RetryNow(
      Feeds feeds,
      Settle settle,
      ReplayCounters tally,
      Breakers breakers,
      HeldEvents held,
      ProducerTemplate camel) {
    this.feeds = feeds;
    this.breakers = breakers;
    this.held = held;
    this.windows = settle.windows();
    this.tally = tally;
    this.camel = camel;
  }

  @Override
  public Result retry(int limit, Long rowId) {
    try {
      breakers.look();
      if (rowId != null) {
        held.release(rowId);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the ledger did not answer", e);
    }
    int left = limit;
    for (Feed feed : feeds.all()) {
      int claimed;
      do {
        claimed = left == 0 ? 0 : claim(feed, left, rowId);
        left -= claimed;
      } while (claimed > 0);
    }
    try {
      for (Feed feed : feeds.all()) {
        windows.of(feed).awaitEmpty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted; rows that were not settled come again when their leases run out", e);
    }
    int resolved = tally.resolved();
    int failed = tally.failedReplays();
    return new Result(resolved + failed, resolved, failed);
  }

  private int claim(Feed feed, int wanted, Long rowId) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("feed", feed.name());
    headers.put(ReplayDue.WANTED, wanted);
    headers.put(ReplayDue.ROW_ID, rowId);
    return camel.requestBodyAndHeaders("direct:replay-due-claim", null, headers, Integer.class);
  }
}
