package io.failureledger;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.FeedReader;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each feed the routes that it does not have to name itself: {@code replay-due-<feed>}, where
 * it keeps an order {@code keep-order-<feed>} and {@code advance-waiting-<feed>}, and where it has
 * such topics {@code drain-retry-topic-<feed>}, {@code publish-dead-letter-<feed>} and {@code
 * collect-dead-letter-users-<feed>}. Routes that consume from a broker come under supervision.
 */
public final class FeedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(FeedRoutes.class);

  private final CamelContext context;
  private final Feeds feeds;
  private final FeedSupervisor supervisor;
  private final List<Broker> brokers;
  private final Function<String, SourceCheck> topics;

  /**
   * @param brokers that feeds can come from
   * @param topics checks a retry topic or a dead-letter topic
   */
  public FeedRoutes(
      CamelContext context,
      Feeds feeds,
      FeedSupervisor supervisor,
      List<Broker> brokers,
      Function<String, SourceCheck> topics) {
    this.context = context;
    this.feeds = feeds;
    this.supervisor = supervisor;
    this.brokers = List.copyOf(brokers);
    this.topics = topics;
  }

  /**
   * Reads the feeds out of the loaded routes, and gives each the route that runs a claimed event.
   *
   * @throws RouteRefusedException naming the feed and what its route file lacks
   */
  public void readFeeds(Policies policies) throws Exception {
    new FeedReader(context, policies, brokers).readInto(feeds);
  }

  /**
   * Adds and supervises the routes; for a bundle that runs.
   *
   * @throws RouteRefusedException when a feed's broker does not allow what its routes do
   */
  public void add() throws Exception {
    feeds.all().forEach(feed -> feed.broker().checkRoutes(feed, context));
    for (Feed feed : feeds.all()) {
      supervisor.supervise(
          feed.ingestRoute(),
          feed.broker().sourceCheck(feed, parameter -> parameter(feed, parameter)));
      supervisor.holdUntilRead(feed.ingestRoute());
      if (feed.ordered() && feed.retryTopic() != null) {
        LOG.info(
            "{} keeps its subjects' order: its retry topic {} is drained and nothing more is parked there; while"
                + " the ledger is away its events are returned",
            feed.name(),
            feed.retryTopic());
      }
      add("replay-due", "replay-due-" + feed.name(), Map.of("feed", feed.name()));
      if (feed.ordered()) {
        for (String template : List.of("keep-order", "advance-waiting")) {
          add(template, template + "-" + feed.name(), Map.of("feed", feed.name()));
        }
      }
      if (feed.retryTopic() != null) {
        add("drain-retry-topic", feed.drainRoute(), topic(feed, feed.retryTopic(), "retry-group"));
        supervisor.supervise(feed.drainRoute(), topics.apply(feed.retryTopic()));
      }
      if (feed.deadLetterTopic() != null) {
        add(
            "publish-dead-letter",
            "publish-dead-letter-" + feed.name(),
            Map.of("feed", feed.name()));
        if (!parameter(feed, "dead-letter-group").isEmpty()) {
          add(
              "collect-dead-letter-users",
              feed.collectRoute(),
              topic(feed, feed.deadLetterTopic(), "dead-letter-group"));
          supervisor.supervise(feed.collectRoute(), topics.apply(feed.deadLetterTopic()));
        }
      }
    }
  }

  private Map<String, Object> topic(Feed feed, String topic, String groupParameter) {
    String group = parameter(feed, groupParameter);
    if (group.isEmpty()) {
      throw new RouteRefusedException(
          "the feed " + feed.name() + " has the topic " + topic + " but no " + groupParameter,
          feed.ingestRoute());
    }
    return Map.of("feed", feed.name(), "topic", topic, "group", group);
  }

  private String parameter(Feed feed, String name) {
    RouteDefinition route = ((ModelCamelContext) context).getRouteDefinition(feed.ingestRoute());
    Object value = route.getTemplateParameters().get(name);
    return value == null ? "" : context.resolvePropertyPlaceholders(value.toString()).strip();
  }

  private void add(String template, String routeId, Map<String, Object> parameters)
      throws Exception {
    TemplatedRouteBuilder.builder(context, template).routeId(routeId).parameters(parameters).add();
  }
}
