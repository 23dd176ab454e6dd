package io.failureledger.replay;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.ingest.ReadEnvelope;
import io.failureledger.observe.EventCounters;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The first step of every {@code replay-due-event-<feed>}: makes the message that the handler got
 * at ingest. A replay after a crash makes the same message.
 */
public final class OpenEvent implements Processor {
  private final EventCounters counters;

  public OpenEvent(EventCounters counters) {
    this.counters = counters;
  }

  @Override
  public void process(Exchange exchange) {
    Replay replay = exchange.getProperty(EventProperties.REPLAY, Replay.class);
    Envelope envelope = replay.claim().envelope();
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
    exchange.setProperty(EventProperties.ABANDONABLE, replay);
    exchange.setProperty(EventProperties.PROBE, replay.isProbe());
    ReadEnvelope.handOver(envelope, exchange, replay.claim().replays() + 1);
    counters.replayed(envelope.feed());
    replay.started();
  }
}
