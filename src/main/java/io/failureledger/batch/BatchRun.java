package io.failureledger.batch;

import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.HandlerCalls;
import io.failureledger.handler.NotTriedException;
import io.failureledger.policy.ErrorClass;
import java.util.List;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One run of a batch handler and what it came to. Where it failed by what concerns all its events,
 * all of them failed; any other failure may be one event's, so each is to be run alone. So a
 * handler has each event at most twice. A crash before the events are told leaves them where they
 * came from.
 */
public final class BatchRun {
  private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

  private final Feed feed;
  private final List<? extends Batched> events;
  private final Exchange exchange;
  private Exception failure;
  private boolean concernsAll;

  /**
   * @param events of one batch, two or more
   * @param exchange for the handler, with what its caller needs to find there
   */
  public BatchRun(Feed feed, List<? extends Batched> events, Exchange exchange) {
    this.feed = feed;
    this.events = events;
    this.exchange = exchange;
  }

  /** Calls the handler and returns when it is done. Keeps whatever it throws, be it an error. */
  public BatchRun run(HandlerCalls handlers) {
    List<BatchEvent> bodies = events.stream().map(Batched::event).toList();
    exchange.setProperty(EventProperties.ENVELOPE, bodies.get(0).envelope());
    exchange.getMessage().setBody(bodies);
    exchange.getMessage().setHeader("feed", feed.name());
    MDC.put("feed", feed.name());
    MDC.remove("event_id");
    MDC.remove("traceparent");
    try {
      handlers.call(feed.batchHandler(), exchange);
      failure = exchange.getException();
    } catch (Exception e) {
      failure = e;
    } catch (Error e) {
      failure = new IllegalStateException(e.toString(), e);
    }
    concernsAll =
        failure instanceof NotTriedException
            || failure != null && feed.policy().errors().of(failure) == ErrorClass.PAUSE;
    if (failure != null && !concernsAll) {
      LOG.info(
          "{}: a batch of {} events failed, each is run alone: {}",
          feed.name(),
          events.size(),
          failure.toString());
    }
    return this;
  }

  public boolean succeeded() {
    return failure == null;
  }

  /** Events that met newer data in their target. */
  public int superseded() {
    return (int)
        events.stream().filter(one -> EventProperties.SUPERSEDED.equals(reason(one))).count();
  }

  /** Tells each event what became of it. */
  public void tell() {
    String target = exchange.getProperty(EventProperties.TARGET, String.class);
    for (Batched one : events) {
      if (failure == null) {
        one.succeeded(reason(one), target);
      } else if (concernsAll) {
        one.failed(failure, target);
      } else {
        one.runAlone();
      }
    }
  }

  private String reason(Batched one) {
    return one.event().isSuperseded()
        ? EventProperties.SUPERSEDED
        : exchange.getProperty(EventProperties.REASON, String.class);
  }
}
