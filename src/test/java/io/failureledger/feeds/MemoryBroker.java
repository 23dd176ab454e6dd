package io.failureledger.feeds;

import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.Identity;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.apache.camel.Message;

/** A third broker: messages of this process, each with an id of its own in {@link #ID}. */
public final class MemoryBroker implements Broker {
  public static final String ID = "memory-id";

  /** Header with what a batch with this message failed by. */
  public static final String FAILED = "memory-failed";

  /** What was acknowledged, in order. */
  public final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();

  /** The threads whose events were freed. */
  public final Queue<Thread> freed = new ConcurrentLinkedQueue<>();

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String title() {
    return "in-memory";
  }

  @Override
  public String source(UnaryOperator<String> parameters) {
    return "memory/" + parameters.apply("queue");
  }

  @Override
  public String whyUnordered() {
    return "its queues keep no order";
  }

  @Override
  public SourceCheck sourceCheck(Feed feed, UnaryOperator<String> parameters) {
    return () -> {};
  }

  @Override
  public Envelope read(Feed feed, Message message) {
    String id = feed.source() + "/" + message.getHeader(ID, String.class);
    return new Envelope(
        feed.name(),
        Identity.of(id),
        id,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.<Header>of(),
        message.getBody(byte[].class));
  }

  @Override
  public Acknowledgement takeAcknowledgement(Message message) {
    String id = message.getHeader(ID, String.class);
    return new Acknowledgement() {
      @Override
      public void acknowledge() {
        acknowledged.add(id);
      }

      @Override
      public void acknowledgeBefore() {
        // Each message is acknowledged by itself.
      }
    };
  }

  @Override
  public EarlierFailure earlierFailure(Message message) {
    return message.getHeader(FAILED, EarlierFailure.class);
  }

  @Override
  public void free(Feed feed, Thread stuck, Restart restart) {
    restart.ofItsRun();
    freed.add(stuck);
  }
}
