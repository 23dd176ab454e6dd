package io.failureledger.batch;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Envelope;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.handler.HandlerCalls;
import io.failureledger.observe.EventCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.InflightRepository;
import org.apache.camel.support.DefaultExchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches at ingest. A consumer lets its events be tried here first, on its own thread. What a
 * batch delivered is acknowledged and never comes to the route {@code ingest-<feed>}; all else
 * does, each event on an exchange of its own, as if there were no batches. So only that route
 * parks.
 */
public final class IngestBatches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IngestBatches.class);

  private final Feeds feeds;
  private final Supplier<CamelContext> context;
  private final FeedSupervisor supervisor;
  private final EventCounters counters;
  private final BiConsumer<Feed, Envelope> admission;
  private final Consumer<Exchange> delivered;
  private final HandlerCalls handlers;

  /**
   * @param admission throws for an event that its handler may not have now
   * @param delivered is told the batch's exchange once for each event that was delivered
   */
  public IngestBatches(
      Feeds feeds,
      Supplier<CamelContext> context,
      FeedSupervisor supervisor,
      EventCounters counters,
      BiConsumer<Feed, Envelope> admission,
      Consumer<Exchange> delivered) {
    this.feeds = feeds;
    this.context = context;
    this.supervisor = supervisor;
    this.counters = counters;
    this.admission = admission;
    this.delivered = delivered;
    this.handlers = new HandlerCalls(context);
  }

  /** The feed of this name, where it has a batch handler; else null. */
  public Feed batched(String name) {
    Feed feed = feeds.get(name);
    return feed.batch() == null ? null : feed;
  }

  /** The feed of this source, where it has a batch handler; else null. */
  public Feed batchedFrom(String source) {
    return feeds.all().stream()
        .filter(feed -> feed.source().equals(source) && feed.batch() != null)
        .findFirst()
        .orElse(null);
  }

  /** What a batch handler gets of an event that was not parked before. */
  public BatchEvent event(Envelope envelope) {
    return new BatchEvent(envelope, context.get(), 0);
  }

  /**
   * Runs a batch and tells each of its events what became of it. An event that is by itself, or may
   * not be handled now, is to be run alone: its route knows what to do with it. A crash before the
   * events are acknowledged delivers them again.
   */
  public void run(Feed feed, List<? extends Batched> batch) {
    List<Batched> admitted = admitted(feed, batch);
    Exchange exchange = new DefaultExchange(context.get());
    exchange.getExchangeExtension().setFromRouteId(feed.ingestRoute());
    if (admitted.size() < 2 || !supervisor.letsIn(exchange)) {
      admitted.forEach(Batched::runAlone);
      return;
    }
    BatchRun run = run(new BatchRun(feed, admitted, exchange), exchange);
    if (run.succeeded()) {
      counters.consumed(feed.name(), admitted.size());
      counters.delivered(feed.name(), admitted.size());
      int superseded = run.superseded();
      if (superseded > 0) {
        counters.superseded(feed.name(), superseded);
      }
      admitted.forEach(one -> delivered.accept(exchange));
      supervisor.progressed(exchange);
    }
    try {
      run.tell();
    } catch (RuntimeException e) {
      // What the consumer has in hand is another's by now.
      supervisor.failed(exchange, e);
    }
  }

  /** While it runs, it is an event in hand of the ingest route: a stop waits for it. */
  private BatchRun run(BatchRun run, Exchange exchange) {
    InflightRepository inflight = context.get().getInflightRepository();
    String route = exchange.getFromRouteId();
    inflight.add(exchange, route);
    try {
      return run.run(handlers);
    } finally {
      inflight.remove(exchange, route);
    }
  }

  private List<Batched> admitted(Feed feed, List<? extends Batched> batch) {
    if (!feed.ordered()) {
      return List.copyOf(batch);
    }
    List<Batched> admitted = new ArrayList<>();
    for (Batched one : batch) {
      try {
        admission.accept(feed, one.event().envelope());
        admitted.add(one);
      } catch (RuntimeException refused) {
        LOG.debug("{}: {} is in no batch", feed.name(), one.event().eventId(), refused);
        one.runAlone();
      }
    }
    return admitted;
  }

  @Override
  public void close() {
    handlers.close();
  }
}
