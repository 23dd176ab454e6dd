package io.failureledger.order;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.Feeds;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ledger.SqlFile;
import io.failureledger.policy.ErrorClass;
import java.util.Map;
import org.apache.camel.Exchange;

/**
 * The steps of {@code park-event} for feeds that keep their subjects' order, named as the route
 * names them.
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
  private final int maxBehind;

  /**
   * @param maxBehind events of a subject that may wait behind its first; further ones are failed
   */
  public OrderedPark(Feeds feeds, OrderedFeeds ordered, Acknowledge acknowledge, int maxBehind) {
    this.feeds = feeds;
    this.ordered = ordered;
    this.acknowledge = acknowledge;
    this.maxBehind = maxBehind;
  }

  /** Whether the event is in an order: its feed keeps one, and it has a key. */
  public boolean keepsOrder(Exchange exchange) {
    return feeds.ofRoute(exchange.getFromRouteId()).ordered() && subject(exchange) != null;
  }

  /**
   * Acknowledges what was before the event, blocks its subject, and completes the row. A repeat
   * changes nothing.
   */
  public void prepare(Exchange exchange) {
    acknowledge.acknowledgeBefore(exchange);
    String subject = subject(exchange);
    blocked(exchange).parking(subject);
    @SuppressWarnings("unchecked")
    Map<String, Object> row = exchange.getMessage().getHeader(SqlFile.PARAMETERS, Map.class);
    boolean waited =
        exchange.getProperty(EventProperties.FAILURE) instanceof SubjectBlockedException;
    if (waited) {
      // It did not fail: no pattern of the policy has a say, and no number of reopenings.
      row.put("status", "pending");
      row.put("error_class", ErrorClass.RETRY.column());
      row.put("reopen_max", Integer.MAX_VALUE);
    }
    row.put("blocked", waited);
    row.put("ordered_subject", subject);
    row.put("max_behind", maxBehind);
  }

  /** The statement is committed, and so the subject free as soon as the ledger says so. */
  public void confirm(Exchange exchange) {
    blocked(exchange).parked(subject(exchange));
  }

  private BlockedSubjects blocked(Exchange exchange) {
    return ordered.of(feeds.ofRoute(exchange.getFromRouteId()));
  }

  private static String subject(Exchange exchange) {
    return OrderedSubject.of(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class).key());
  }
}
