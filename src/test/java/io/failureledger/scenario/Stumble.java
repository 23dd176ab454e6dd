package io.failureledger.scenario;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.DefaultPollingConsumerPollStrategy;
import org.apache.camel.support.DefaultProducer;

/**
 * A component whose steps {@code stumble:<place>} throw errors at first, one of each kind, and then
 * let everything through.
 */
final class Stumble extends DefaultComponent {
  private static final List<Error> ERRORS =
      List.of(
          new OutOfMemoryError("the probe was told to"),
          new StackOverflowError("the probe was told to"),
          new NoClassDefFoundError("the probe was told to"));

  private final Map<String, AtomicInteger> visits = new ConcurrentHashMap<>();
  private final int times;

  /**
   * @param times how often each place throws
   */
  Stumble(int times) {
    this.times = times;
  }

  /** Places that were passed so often since they threw for the last time. */
  List<String> passed(int rounds) {
    return visits.entrySet().stream()
        .filter(place -> place.getValue().get() >= times + rounds)
        .map(Map.Entry::getKey)
        .toList();
  }

  void at(String place) {
    int visit = visits.computeIfAbsent(place, name -> new AtomicInteger()).getAndIncrement();
    if (visit < times) {
      throw ERRORS.get(visit % ERRORS.size());
    }
  }

  /** For the option {@code pollStrategy}: the poller itself stumbles, before there is an event. */
  DefaultPollingConsumerPollStrategy poller() {
    return new DefaultPollingConsumerPollStrategy() {
      @Override
      public boolean begin(org.apache.camel.Consumer consumer, Endpoint endpoint) {
        at("poller");
        return true;
      }
    };
  }

  @Override
  protected Endpoint createEndpoint(String uri, String place, Map<String, Object> parameters) {
    return new DefaultEndpoint(uri, this) {
      @Override
      public Producer createProducer() {
        return new DefaultProducer(this) {
          @Override
          public void process(Exchange exchange) {
            at(place);
          }
        };
      }

      @Override
      public org.apache.camel.Consumer createConsumer(org.apache.camel.Processor processor) {
        throw new UnsupportedOperationException("a stumble is only sent to");
      }
    };
  }
}
