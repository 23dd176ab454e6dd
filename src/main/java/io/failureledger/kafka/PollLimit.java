package io.failureledger.kafka;

import io.failureledger.feeds.Feed;
import io.failureledger.feeds.RouteRefusedException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Refuses routes that make a record of a Kafka feed wait for redeliveries longer than its consumer
 * may. When a target is away every record of a poll waits as long; past {@code maxPollIntervalMs}
 * the group takes the partition away and all of them are consumed again, by another instance that
 * then waits too. So a record may wait {@code maxPollIntervalMs / maxPollRecords}. A handler's work
 * itself is bounded by {@code handler.timeout} and not reckoned here. Asked at the start, before
 * anything is consumed; a repeat says the same.
 */
final class PollLimit {
  private static final long CLIENT_INTERVAL_MS = 300_000;

  private final ModelCamelContext context;
  private final RouteWaits waits;

  PollLimit(ModelCamelContext context) {
    this.context = context;
    this.waits = new RouteWaits(context);
  }

  /**
   * A record may wait in its batch handler first, and then alone.
   *
   * @throws RouteRefusedException naming the routes, what they wait for, how long, and what is
   *     allowed
   */
  void check(Feed feed) {
    String ingestRoute = feed.ingestRoute();
    RouteDefinition route = context.getRouteDefinition(ingestRoute);
    long records = option(route, "maxPollRecords", ConsumerConfig.DEFAULT_MAX_POLL_RECORDS);
    long interval = option(route, "maxPollIntervalMs", CLIENT_INTERVAL_MS);
    long allowed = interval / records;
    List<RouteWaits.Wait> all = waits.of(route);
    long whole = all.get(0).all();
    if (feed.batch() != null) {
      List<RouteWaits.Wait> ofBatch = waits.of(context.getRouteDefinition(feed.batchHandler()));
      whole = RouteWaits.plus(whole, ofBatch.get(0).all());
      all = Stream.concat(all.stream(), ofBatch.stream()).toList();
    }
    if (whole > allowed) {
      RouteWaits.Wait longest =
          all.stream().max(Comparator.comparingLong(RouteWaits.Wait::own)).orElseThrow();
      throw new RouteRefusedException(
          "the route "
              + longest.routeId()
              + " makes a record wait for "
              + (longest.redeliveries() < 0
                  ? "redeliveries without end"
                  : longest.redeliveries() + " redeliveries and delays of " + time(longest.own()))
              + ", and "
              + ingestRoute
              + " with all that it calls "
              + (whole >= RouteWaits.FOR_EVER ? "for ever" : time(whole))
              + "; allowed is "
              + time(allowed)
              + ", so that "
              + records
              + " records (maxPollRecords) fit into "
              + time(interval)
              + " (maxPollIntervalMs). Let the handler throw instead: the event is parked and replayed by its policy.",
          longest.routeId());
    }
  }

  /** An option of the consumer's address, or what the client takes without it. */
  private long option(RouteDefinition route, String name, long byDefault) {
    Matcher found =
        Pattern.compile("[?&]" + name + "=([^&]+)").matcher(route.getInput().getEndpointUri());
    return found.find() ? Long.parseLong(waits.resolved(route, found.group(1))) : byDefault;
  }

  private static String time(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }
}
