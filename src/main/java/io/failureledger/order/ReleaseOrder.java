package io.failureledger.order;

import io.failureledger.feeds.Feed;
import io.failureledger.ledger.SqlFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code keep-order-release} that YAML cannot say, named as the route names them. Each
 * statement is bounded and committed on its own: what is not released when one fails, or the
 * process dies, is released later. Any number of instances may do so at once.
 */
public final class ReleaseOrder {
  private static final Logger LOG = LoggerFactory.getLogger(ReleaseOrder.class);

  private final OrderedFeeds feeds;
  private volatile boolean released;
  private long due;

  public ReleaseOrder(OrderedFeeds feeds) {
    this.feeds = feeds;
  }

  /** Whether there may be events that wait in feeds that keep no order, or keep it no longer. */
  public boolean mayHaveSwitchedOff() {
    return !released && !feeds.unordered().isEmpty();
  }

  public void prepare(Exchange exchange) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feeds", feeds.unordered().stream().map(Feed::name).toArray(String[]::new));
    parameters.put("limit", AdvanceWaiting.ROWS);
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  /**
   * After a statement that was not full nothing is left, and said is it once: such feeds park
   * nothing behind anything from now on.
   */
  public void confirm(Exchange exchange) {
    long looked = 0;
    for (Object row : exchange.getMessage().getBody(List.class)) {
      looked += (Long) ((Map<?, ?>) row).get("looked");
      due += (Long) ((Map<?, ?>) row).get("due");
    }
    released = looked < AdvanceWaiting.ROWS;
    if (released && due > 0) {
      LOG.warn("{} events no longer wait behind others: their feeds have no order=subject", due);
    }
  }
}
