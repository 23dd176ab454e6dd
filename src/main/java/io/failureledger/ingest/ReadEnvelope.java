package io.failureledger.ingest;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.Header;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.observe.EventCounters;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.slf4j.MDC;

/**
 * The first step of every ingest route: what the broker's component made becomes an envelope, and
 * the message that the handler gets: raw bytes, the event's headers as text, and {@code event-id},
 * {@code idempotency-key}, {@code attempt}, {@code received-at} and {@code feed}, which beat
 * headers of these names. An event that must wait for an earlier one of its subject ends here: it
 * fails, and is parked without its handler. So does one that failed in a batch already, for a
 * reason that it would fail for again.
 */
public final class ReadEnvelope implements Processor {
  private final Feeds feeds;
  private final FeedSupervisor supervisor;
  private final EventCounters counters;
  private final BiConsumer<Feed, Envelope> admission;

  /**
   * @param admission throws for an event that its handler may not have now
   */
  public ReadEnvelope(
      Feeds feeds,
      FeedSupervisor supervisor,
      EventCounters counters,
      BiConsumer<Feed, Envelope> admission) {
    this.feeds = feeds;
    this.supervisor = supervisor;
    this.counters = counters;
    this.admission = admission;
  }

  @Override
  public void process(Exchange exchange) throws Exception {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    counters.consumed(feed.name());
    Message message = exchange.getMessage();
    EarlierFailure earlier = feed.batch() == null ? null : feed.broker().earlierFailure(message);
    // Out of the headers, which the handler may change as it likes.
    exchange.setProperty(
        EventProperties.ACKNOWLEDGEMENT, feed.broker().takeAcknowledgement(message));
    supervisor.refuseWhenOver(exchange);
    Envelope envelope = feed.broker().read(feed, message);
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
    handOver(envelope, exchange, 0);
    admission.accept(feed, envelope);
    if (earlier != null) {
      exchange.setProperty(EventProperties.TARGET, earlier.target());
      throw earlier.failure();
    }
  }

  /**
   * Sets the message that a handler gets, at ingest and at replay alike. A repeat after a crash has
   * the same {@code event-id} and {@code idempotency-key}.
   *
   * @param attempt 0 at ingest, n at the n-th replay
   */
  public static void handOver(Envelope envelope, Exchange exchange, int attempt) {
    Map<String, Object> headers = headers(envelope, exchange.getContext(), attempt);
    MDC.put("feed", envelope.feed());
    MDC.put("event_id", envelope.eventId());
    String traceparent = (String) headers.get("traceparent");
    if (traceparent == null) {
      MDC.remove("traceparent");
    } else {
      MDC.put("traceparent", traceparent);
    }
    Message message = exchange.getMessage();
    message.setHeaders(headers);
    // A copy: a handler that writes into the bytes changes its message and not the event.
    message.setBody(envelope.body() == null ? null : envelope.body().clone());
  }

  /** The headers that a handler gets of an event; their names are compared without case. */
  public static Map<String, Object> headers(Envelope envelope, CamelContext context, int attempt) {
    Map<String, Object> headers =
        context.getCamelContextExtension().getHeadersMapFactory().newMap();
    for (Header header : envelope.headers()) {
      headers.put(header.name(), header.text());
    }
    headers.put("event-id", envelope.eventId());
    headers.put("idempotency-key", envelope.eventId());
    headers.put("attempt", attempt);
    headers.put("feed", envelope.feed());
    if (envelope.receivedAt() != null) {
      headers.put(EventProperties.RECEIVED_AT, envelope.receivedAt());
    } else {
      headers.remove(EventProperties.RECEIVED_AT);
    }
    return headers;
  }
}
