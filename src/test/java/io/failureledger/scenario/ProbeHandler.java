package io.failureledger.scenario;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * A handler that a test commands: it notes each event that it is given, then does what it is told.
 */
final class ProbeHandler implements Processor {
  /** What the handler is to do with an event. */
  interface Order {
    void on(Exchange exchange) throws Exception;
  }

  static final Order SUCCEED = exchange -> {};
  static final Order FAIL =
      exchange -> {
        throw new IllegalStateException("the probe was told to fail");
      };

  private final List<Envelope> seen = new CopyOnWriteArrayList<>();
  private volatile Order order = SUCCEED;

  void order(Order next) {
    order = next;
  }

  List<Envelope> seen() {
    return seen;
  }

  List<String> seenIds() {
    return seen.stream().map(Envelope::eventId).toList();
  }

  @Override
  public void process(Exchange exchange) throws Exception {
    seen.add(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class));
    order.on(exchange);
  }
}
