package io.failureledger.order;

import io.failureledger.feeds.Feeds;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ingest.Park;
import io.failureledger.ledger.ParkEvent;
import org.apache.camel.Exchange;

/**
 * What parking does to the order of a subject, for feeds that keep it.
 *
 * <p>Before the row is written, what was consumed before the event is acknowledged. So an event
 * that was delivered before it does not come again after a crash, to wait behind it and have its
 * effect after the later one's; and a consumer that has lost its partition without knowing parks
 * nothing.
 */
public final class OrderedPark {
  private final Feeds feeds;
  private final OrderedFeeds ordered;
  private final Acknowledge acknowledge;

  public OrderedPark(Feeds feeds, OrderedFeeds ordered, Acknowledge acknowledge) {
    this.feeds = feeds;
    this.ordered = ordered;
    this.acknowledge = acknowledge;
  }

  /**
   * Acknowledges what was consumed before the event, and blocks its subject: later events wait. A
   * repeat changes nothing.
   */
  public void block(Exchange exchange) {
    acknowledge.acknowledgeBefore(exchange);
    blocked(exchange).parking(row(exchange).orderedSubject());
  }

  /** The statement is committed, and so the subject free as soon as the ledger says so. */
  public void parked(Exchange exchange) {
    String subject = row(exchange).orderedSubject();
    if (subject != null) {
      blocked(exchange).parked(subject);
    }
  }

  private BlockedSubjects blocked(Exchange exchange) {
    return ordered.of(feeds.ofRoute(exchange.getFromRouteId()));
  }

  private static ParkEvent row(Exchange exchange) {
    return exchange.getVariable(Park.ROW, ParkEvent.class);
  }
}
