package io.failureledger;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.consume.StuckThreads;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.FeedReader;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.kafka.KafkaAccess;
import io.failureledger.kafka.KafkaAdmin;
import io.failureledger.kafka.KafkaSourceCheck;
import io.failureledger.kafka.PollLimit;
import io.failureledger.policy.Policies;
import io.failureledger.pubsub.PubSubAccess;
import io.failureledger.pubsub.PubSubSourceCheck;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each feed the routes that it does not have to name itself: {@code replay-due-<feed>} and
 * {@code replay-due-event-<feed>}, where it keeps an order {@code keep-order-<feed>} and {@code
 * advance-waiting-<feed>}, and where it has such topics {@code drain-retry-topic-<feed>}, {@code
 * publish-dead-letter-<feed>} and {@code collect-dead-letter-users-<feed>}. Routes that consume
 * from a broker come under supervision.
 */
public final class FeedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(FeedRoutes.class);

  private final CamelContext context;
  private final Feeds feeds;
  private final FeedSupervisor supervisor;
  private final KafkaAccess kafka;
  private final KafkaAdmin admin;
  private final PubSubAccess pubSub;
  private final StuckThreads stuck;

  public FeedRoutes(
      CamelContext context,
      Feeds feeds,
      FeedSupervisor supervisor,
      KafkaAccess kafka,
      KafkaAdmin admin,
      PubSubAccess pubSub,
      StuckThreads stuck) {
    this.context = context;
    this.feeds = feeds;
    this.supervisor = supervisor;
    this.kafka = kafka;
    this.admin = admin;
    this.pubSub = pubSub;
    this.stuck = stuck;
  }

  /**
   * Reads the feeds out of the loaded routes, and gives each the route that runs a claimed event.
   *
   * @throws RouteRefusedException naming the feed and what its route file lacks
   */
  public void readFeeds(Policies policies) throws Exception {
    new FeedReader(context, policies).readInto(feeds);
    for (Feed feed : feeds.all()) {
      add("replay-due-event", "replay-due-event-" + feed.name(), Map.of("feed", feed.name()));
    }
  }

  /**
   * Adds and supervises the routes; for a bundle that runs.
   *
   * @throws RouteRefusedException when a Kafka feed's routes make a record wait longer than its
   *     consumer may
   */
  public void add() throws Exception {
    PollLimit limit = new PollLimit((ModelCamelContext) context);
    feeds.all().stream()
        .filter(feed -> feed.broker() == Feed.Broker.KAFKA)
        .forEach(feed -> limit.check(feed.ingestRoute()));
    supervisor.watchConsumers(kafka.consumers());
    for (Feed feed : feeds.all()) {
      supervisor.supervise(feed.ingestRoute(), check(feed));
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
        supervisor.supervise(feed.drainRoute(), topicCheck(feed.retryTopic()));
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
          supervisor.supervise(feed.collectRoute(), topicCheck(feed.deadLetterTopic()));
        }
      }
    }
  }

  private SourceCheck check(Feed feed) {
    return feed.broker() == Feed.Broker.KAFKA
        ? stuck.freeing(
            feed.ingestRoute(), parameter(feed, "group"), admin, topicCheck(feed.source()))
        : new PubSubSourceCheck(pubSub, feed.source());
  }

  private SourceCheck topicCheck(String topic) {
    return new KafkaSourceCheck(admin, kafka.brokers(), topic);
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
