package io.failureledger.replay;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.handler.HandlerCalls;
import io.failureledger.handler.NotTriedException;
import io.failureledger.ingest.ReadEnvelope;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs claimed events through their feed's handlers again, alone or as a batch, and says what each
 * came to. An event is begun only while enough of its lease is left for the handler's whole
 * time-out, so two instances do not run it at once; one that was claimed too often without a settle
 * is not run at all. Whatever ends the handler, and be it an error, is the replay's outcome.
 */
final class EventRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRunner.class);

  private final ReplaySettings settings;
  private final long latestBeginNanos;
  private final HandlerCalls handlers;
  private volatile boolean ending;

  EventRunner(ReplaySettings settings) {
    this.settings = settings;
    this.latestBeginNanos = settings.latestBegin().toNanos();
    this.handlers = new HandlerCalls(() -> settings.camel().getCamelContext());
  }

  /** From now on begins no replay: what waits is released. */
  void end() {
    ending = true;
  }

  /**
   * Runs them as one batch, those of them that may be begun.
   *
   * @param window theirs
   */
  void run(List<Replay> turn, ReplayWindow window) {
    if (turn.size() == 1) {
      run(turn.get(0));
      return;
    }
    List<Replay> begun = turn.stream().filter(this::begins).toList();
    if (begun.size() == 1) {
      send(begun.get(0));
    } else if (!begun.isEmpty()) {
      ReplayBatch batch =
          new ReplayBatch(
              begun.get(0).feed(),
              window,
              settings.camel().getCamelContext(),
              alone -> run(alone, window));
      begun.forEach(batch::add);
      batch.run(handlers);
    }
  }

  private void run(Replay replay) {
    if (begins(replay)) {
      send(replay);
    }
  }

  /** Settles an event that may not be run now. */
  private boolean begins(Replay replay) {
    if (!replay.begin()) {
      return false;
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
      return true;
    }
    return false;
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
      handlers.call(replay.feed().handler(), exchange);
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
    } else if (thrown instanceof NotTriedException untried) {
      replay.notTried(untried, target);
    } else {
      LOG.debug("{}: row {} failed", replay.feed().name(), replay.claim().id(), thrown);
      replay.failed(thrown, target);
    }
  }

  @Override
  public void close() {
    handlers.close();
  }
}
