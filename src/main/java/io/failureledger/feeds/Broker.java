package io.failureledger.feeds;

import io.failureledger.event.Envelope;
import java.util.Collection;
import java.util.function.UnaryOperator;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.spi.Registry;

/**
 * What a broker provides, so that feeds can come from it. One class a broker, listed in the wiring;
 * and a route template whose parameter {@code broker} is its name. Nothing else names a broker.
 * Thread-safe.
 */
public interface Broker {

  /** What the template parameter {@code broker} says, for example {@code kafka}. */
  String name();

  /** What people call it, for example {@code Pub/Sub}. */
  String title();

  /**
   * The full name of a feed's source, for example of a topic. Unlike that of any other broker.
   *
   * @param parameters gives a parameter of the feed's template, empty when it is not set
   * @throws IllegalStateException naming the feed, a parameter, and what is allowed
   */
  String source(UnaryOperator<String> parameters);

  /** Why no feed can have {@code order=subject}, as a sentence; null when one can. */
  String whyUnordered();

  /**
   * Asked once at the start of a bundle that runs, before anything is consumed.
   *
   * @throws RouteRefusedException when the feed's routes would lose, double or delay its events
   */
  default void checkRoutes(Feed feed, CamelContext context) {}

  /**
   * Says of the feed's source, again and again, whether it is there and consumed.
   *
   * @param parameters gives a parameter of the feed's template, empty when it is not set
   */
  SourceCheck sourceCheck(Feed feed, UnaryOperator<String> parameters);

  /** Events of a feed that are handled at once in this instance, where the broker says it. */
  default int threads() {
    return 1;
  }

  /**
   * Reads a message as its component made it, with an identity that is the same at each delivery.
   * Never fails for what the message holds.
   */
  Envelope read(Feed feed, Message message);

  /**
   * Takes the acknowledgement off a message, before a handler sees it.
   *
   * @return null where the component acknowledges by itself, when the exchange ends well
   */
  Acknowledgement takeAcknowledgement(Message message);

  /**
   * What a batch with this event failed by, where the event is to be parked for that and not run
   * again; null for any other. Asked on the event's own thread, for feeds with a batch handler.
   */
  default EarlierFailure earlierFailure(Message message) {
    return null;
  }

  /**
   * Makes the event come again that a thread holds which is stuck in its handler for good. A repeat
   * is harmless. A process that dies meanwhile frees its events anyway.
   */
  void free(Feed feed, Thread stuck, Restart restart);

  /** Stops the feed's route; it is started again when its source check passes. */
  interface Restart {
    /** Unless the run of the stuck thread is over. */
    void ofItsRun();

    /** Whatever run is under way. */
    void ofAnyRun();
  }

  /** Binds components and what is to be closed with the bundle. Connects to nothing. */
  default void bind(Registry registry) {}

  /**
   * The broker of this name.
   *
   * @throws IllegalStateException naming those that there are
   */
  static Broker named(String name, Collection<? extends Broker> brokers) {
    return brokers.stream()
        .filter(broker -> broker.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no broker is called '"
                        + name
                        + "'; allowed are "
                        + String.join(", ", brokers.stream().map(Broker::name).sorted().toList())));
  }
}
