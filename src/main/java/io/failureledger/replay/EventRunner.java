package io.failureledger.replay;

import io.failureledger.breaker.TargetHeldException;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.ingest.ReadEnvelope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.service.ServiceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a claimed event through its feed's handler again and says what it came to. An event is begun
 * only while enough of its lease is left for the handler's whole time-out, so two instances do not
 * run it at once; one that was claimed too often without a settle is not run at all. Whatever ends
 * the handler, and be it an error, is the replay's outcome.
 */
final class EventRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRunner.class);

  private final ReplaySettings settings;
  private final long latestBeginNanos;
  private final Map<String, AsyncProducer> handlers = new ConcurrentHashMap<>();
  private volatile boolean ending;

  EventRunner(ReplaySettings settings) {
    this.settings = settings;
    this.latestBeginNanos = settings.latestBegin().toNanos();
  }

  /** From now on begins no replay: what waits is released. */
  void end() {
    ending = true;
  }

  void run(Replay replay) {
    if (!replay.begin()) {
      return;
    }
    Claim claim = replay.claim();
    if (ending) {
      replay.released();
    } else if (claim.claims() > settings.claimsMax()) {
      replay.failed(new LeaseLostException(claim.claims() - 1), null);
    } else if (replay.leasedForNanos() > latestBeginNanos) {
      replay.released();
    } else if (replay.mustWait()) {
      replay.held(null);
    } else {
      send(replay);
    }
  }

  /** The handler gets the message that it got at ingest. A replay after a crash gets it again. */
  private void send(Replay replay) {
    Exchange exchange = new DefaultExchange(settings.camel().getCamelContext());
    try {
      Envelope envelope = replay.claim().envelope();
      exchange.setProperty(EventProperties.ENVELOPE, envelope);
      exchange.setProperty(EventProperties.ABANDONABLE, replay);
      exchange.setProperty(EventProperties.PROBE, replay.isProbe());
      ReadEnvelope.handOver(envelope, exchange, replay.claim().replays() + 1);
    } catch (RuntimeException unreadable) {
      replay.failed(unreadable, null);
      return;
    }
    try {
      handlers
          .computeIfAbsent(replay.feed().name(), name -> handler(replay.feed()))
          .process(exchange);
      conclude(replay, exchange, exchange.getException());
    } catch (Exception | Error e) {
      conclude(replay, exchange, e);
    }
  }

  private static void conclude(Replay replay, Exchange exchange, Throwable thrown) {
    String target = exchange.getProperty(EventProperties.TARGET, String.class);
    if (!replay.hasStarted()) {
      // The handler is not there, because the bundle starts or stops.
      LOG.debug("{}: row {} released", replay.feed().name(), replay.claim().id(), thrown);
      replay.released();
    } else if (thrown == null) {
      replay.resolved(exchange.getProperty(EventProperties.REASON, String.class), target);
    } else if (thrown instanceof TargetHeldException) {
      replay.held(target);
    } else {
      LOG.debug("{}: row {} failed", replay.feed().name(), replay.claim().id(), thrown);
      replay.failed(thrown, target);
    }
  }

  private AsyncProducer handler(Feed feed) {
    CamelContext camel = settings.camel().getCamelContext();
    Endpoint endpoint = camel.getEndpoint("direct:handle-" + feed.name());
    try {
      AsyncProducer producer = endpoint.createAsyncProducer();
      ServiceHelper.startService(producer);
      return producer;
    } catch (Exception e) {
      throw new IllegalStateException("handle-" + feed.name() + " cannot be called", e);
    }
  }

  @Override
  public void close() {
    handlers.values().forEach(ServiceHelper::stopService);
  }
}
