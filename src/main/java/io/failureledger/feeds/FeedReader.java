package io.failureledger.feeds;

import io.failureledger.event.HeaderRules;
import io.failureledger.event.Selectors;
import io.failureledger.policy.Policies;
import io.failureledger.settings.Suggestion;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;

/**
 * Reads the feeds out of the loaded routes: each route is one whose template has the parameter
 * {@code broker}.
 */
public final class FeedReader {
  /** As the ledger's tables have it. */
  private static final int MAX_NAME = 100;

  private final CamelContext context;
  private final Policies policies;
  private final Collection<? extends Broker> brokers;

  public FeedReader(CamelContext context, Policies policies, Collection<? extends Broker> brokers) {
    this.context = context;
    this.policies = policies;
    this.brokers = List.copyOf(brokers);
  }

  /**
   * @throws RouteRefusedException naming the feed, what is wrong with it and what is allowed
   */
  public void readInto(Feeds feeds) {
    ModelCamelContext model = (ModelCamelContext) context;
    FeedTopics topics = new FeedTopics();
    List<RouteDefinition> routes =
        model.getRouteDefinitions().stream()
            .filter(route -> route.getTemplateParameters() != null)
            .filter(route -> route.getTemplateParameters().containsKey("broker"))
            .toList();
    // Names first: what another route means may hang on them.
    routes.forEach(route -> refusing(route, parameters -> checkName(route, parameters)));
    routes.forEach(
        route ->
            refusing(
                route,
                parameters -> {
                  Feed feed = read(parameters);
                  feeds.add(feed);
                  topics.add(feed, name -> text(parameters, name));
                }));
    topics.check();
    for (Feed feed : feeds.all()) {
      if (model.getRouteDefinition(feed.handler()) == null) {
        throw new RouteRefusedException(
            "the feed "
                + feed.name()
                + " has no handler: its file needs a route with id "
                + feed.handler()
                + Suggestion.nearest(feed.handler(), handlers(model))
                    .map(near -> ", not " + near)
                    .orElse(""),
            feed.ingestRoute());
      }
    }
  }

  /** Whatever is wrong names the feed. */
  private static void refusing(RouteDefinition route, Consumer<Map<String, Object>> work) {
    Map<String, Object> parameters = route.getTemplateParameters();
    try {
      work.accept(parameters);
    } catch (IllegalArgumentException | IllegalStateException e) {
      String feed = "the feed " + parameters.get("feed");
      String said = String.valueOf(e.getMessage());
      throw new RouteRefusedException(
          said.contains(feed) ? said : feed + ": " + said, e, route.getRouteId());
    }
  }

  private static List<String> handlers(ModelCamelContext model) {
    return model.getRouteDefinitions().stream()
        .map(RouteDefinition::getRouteId)
        .filter(id -> id != null && id.startsWith("handle-"))
        .toList();
  }

  private void checkName(RouteDefinition route, Map<String, Object> parameters) {
    String name = text(parameters, "feed");
    if (!("ingest-" + name).equals(route.getRouteId())) {
      throw new IllegalStateException(
          "the route "
              + route.getRouteId()
              + " of feed "
              + name
              + " must be called ingest-"
              + name);
    }
    int length = name.codePointCount(0, name.length());
    if (length < 1 || length > MAX_NAME) {
      throw new RouteRefusedException(
          "the feed "
              + name
              + " has a name of "
              + length
              + " characters, which the ledger refuses in every row; allowed are 1 to "
              + MAX_NAME,
          route.getRouteId());
    }
    if (name.endsWith(Feed.BATCH)) {
      String other = name.substring(0, name.length() - Feed.BATCH.length());
      throw new IllegalStateException(
          "the feed "
              + name
              + " ends in "
              + Feed.BATCH
              + ": its handler would be the batch handler of a feed "
              + other
              + "; allowed is any other name");
    }
  }

  private Feed read(Map<String, Object> parameters) {
    String name = text(parameters, "feed");
    Broker broker = Broker.named(text(parameters, "broker"), brokers);
    return new Feed(
        name,
        broker,
        target(parameters, name),
        broker.source(parameter -> text(parameters, parameter)),
        policies.get(text(parameters, "policy")),
        new Selectors(
            list(text(parameters, "event-id")),
            text(parameters, "type"),
            text(parameters, "tenant"),
            text(parameters, "subject"),
            text(parameters, "user"),
            text(parameters, "time")),
        new HeaderRules(text(parameters, "headers")),
        emptyToNull(text(parameters, "retry-topic")),
        emptyToNull(text(parameters, "dead-letter-topic")),
        ordered(name, broker, text(parameters, "order")),
        batch(name, text(parameters, "batch-key"), text(parameters, "batch-size")));
  }

  /** What nothing would read is refused: somebody believes that it does something. */
  private BatchRule batch(String feed, String key, String size) {
    String byDefault = context.resolvePropertyPlaceholders("{{batch.size}}");
    String handler = Feed.batchHandler(feed);
    RouteDefinition route = ((ModelCamelContext) context).getRouteDefinition(handler);
    if (route != null) {
      String input = route.getInput().getEndpointUri();
      String wanted = "direct:" + handler;
      if (!input.replace("//", "").equals(wanted)) {
        throw new IllegalStateException(
            "the route " + handler + " begins with " + input + "; allowed is " + wanted);
      }
      return new BatchRule(key, number(size.isEmpty() ? byDefault : size));
    }
    boolean sized = !size.isEmpty() && !size.equals(byDefault);
    if (!key.isEmpty() || sized) {
      throw new IllegalStateException(
          "the feed "
              + feed
              + " has "
              + (key.isEmpty() ? "batch-size=" + size : "batch-key=" + key)
              + " but no batch handler; allowed with a route "
              + handler
              + " only");
    }
    return null;
  }

  private static int number(String size) {
    try {
      return Integer.parseInt(size);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("batch-size=" + size + "; allowed is a whole number", e);
    }
  }

  private static boolean ordered(String feed, Broker broker, String order) {
    if (order.isEmpty()) {
      return false;
    }
    if (!order.equals("subject")) {
      throw new IllegalStateException(
          "the feed "
              + feed
              + " has order="
              + order
              + "; allowed are subject, or empty for no order");
    }
    if (broker.whyUnordered() != null) {
      throw new IllegalStateException(
          "the feed "
              + feed
              + " is a "
              + broker.title()
              + " feed and cannot have order=subject: "
              + broker.whyUnordered());
    }
    return true;
  }

  private String target(Map<String, Object> parameters, String feed) {
    String target = text(parameters, "target");
    if (target.equals("*")) {
      throw new IllegalStateException(
          "the feed " + feed + " names the target *, which stands for all of them");
    }
    return emptyToNull(target);
  }

  private String text(Map<String, Object> parameters, String name) {
    Object value = parameters.get(name);
    return value == null ? "" : context.resolvePropertyPlaceholders(value.toString()).strip();
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(String::strip).toList();
  }

  private static String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
