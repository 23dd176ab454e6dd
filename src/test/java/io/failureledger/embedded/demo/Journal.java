package io.failureledger.embedded.demo;

import io.failureledger.batch.BatchEvent;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;

/**
 * Every run of every handler, at ingest and at replay, written by the demo and not by the product:
 * in memory, and a line in a file: {@code time,feed,event id,run,outcome}.
 */
final class Journal extends RoutePolicySupport implements RoutePolicyFactory, AutoCloseable {
  private static final String HANDLER = "handle-";

  /** The runs of one event. */
  static final class Runs {
    private int all;
    private int successful;
    private boolean firstSucceeded;

    synchronized int add(boolean success) {
      all++;
      successful += success ? 1 : 0;
      firstSucceeded |= success && all == 1;
      return all;
    }

    synchronized int successful() {
      return successful;
    }

    synchronized boolean firstSucceeded() {
      return firstSucceeded;
    }
  }

  private final BufferedWriter file;
  private final Map<String, Runs> runs = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
  private final AtomicInteger delivered = new AtomicInteger();

  Journal(Path path) throws IOException {
    file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    return routeId.startsWith(HANDLER) ? this : null;
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    Throwable failure = exchange.getException();
    if (exchange.getProperty(Journal.class.getName()) instanceof List<?> batch) {
      batch.forEach(
          event -> record(((BatchEvent) event).feed(), ((BatchEvent) event).eventId(), failure));
      return;
    }
    Envelope event = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    record(event.feed(), event.eventId(), failure);
  }

  /** A handler may put another body in the place of its batch. */
  @Override
  public void onExchangeBegin(Route route, Exchange exchange) {
    if (exchange.getMessage().getBody() instanceof List<?> batch) {
      exchange.setProperty(Journal.class.getName(), batch);
    }
  }

  void record(String feed, String eventId, Throwable failure) {
    int run = runs.computeIfAbsent(key(feed, eventId), key -> new Runs()).add(failure == null);
    if (run == 1) {
      seen.computeIfAbsent(feed, name -> new AtomicInteger()).incrementAndGet();
      delivered.addAndGet(failure == null ? 1 : 0);
    }
    write(feed, eventId, run, failure == null ? "ok" : failure.getClass().getSimpleName());
  }

  private void write(String feed, String eventId, int run, String outcome) {
    try {
      synchronized (file) {
        file.write(Instant.now() + "," + feed + "," + eventId + "," + run + "," + outcome + "\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written", e);
    }
  }

  /** The runs of an event; none when no handler ever saw it. */
  Runs of(String feed, String eventId) {
    return runs.getOrDefault(key(feed, eventId), new Runs());
  }

  /** Different events of the feed that a handler saw. */
  int seen(String feed) {
    AtomicInteger count = seen.get(feed);
    return count == null ? 0 : count.get();
  }

  /** Events whose first run succeeded. */
  int delivered() {
    return delivered.get();
  }

  private static String key(String feed, String eventId) {
    return feed + " " + eventId;
  }

  @Override
  public void close() {
    try {
      synchronized (file) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written", e);
    }
  }
}
