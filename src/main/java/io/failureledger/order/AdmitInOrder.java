package io.failureledger.order;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import java.sql.SQLException;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step between reading an event and handling it: lets it through unless its feed keeps its
 * subjects' order and an earlier event of its subject is unresolved. Costs nothing for other feeds,
 * and a look into an empty set for an ordered feed without unresolved events.
 *
 * <p>When partitions came to this instance the blocked subjects are loaded here, on the consumer's
 * thread, before the first of their records is let through. While the ledger cannot say them the
 * event is returned: nobody knows whether it may go first.
 */
public final class AdmitInOrder implements Processor {
  private final Feeds feeds;
  private final OrderedFeeds ordered;

  public AdmitInOrder(Feeds feeds, OrderedFeeds ordered) {
    this.feeds = feeds;
    this.ordered = ordered;
  }

  /**
   * Ends normally for an event that may be handled now.
   *
   * @throws SubjectBlockedException when it has to wait; it is to be parked
   * @throws EventReturnedException when the ledger cannot say
   */
  @Override
  public void process(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    if (!feed.ordered()) {
      return;
    }
    BlockedSubjects blocked = ordered.of(feed);
    while (blocked.mustLoad()) {
      load(feed);
    }
    if (blocked.isEmpty()) {
      return;
    }
    String subject =
        OrderedSubject.of(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class).key());
    if (subject != null && blocked.isBlocked(subject)) {
      throw new SubjectBlockedException(subject);
    }
  }

  private void load(Feed feed) {
    try {
      ordered.load(feed);
    } catch (SQLException | RuntimeException e) {
      throw new EventReturnedException(
          "the blocked subjects of " + feed.name() + " cannot be loaded", e);
    }
  }
}
