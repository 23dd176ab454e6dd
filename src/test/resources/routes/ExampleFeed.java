import org.apache.camel.builder.RouteBuilder;

/**
 * A feed written in Java: drop such a file anywhere under routes/ and start. It is compiled at the
 * start, and has parking, replay, retry topic and backfill like one in YAML.
 */
public class ExampleFeed extends RouteBuilder {
  @Override
  public void configure() {
    templatedRoute("kafka-feed")
        .routeId("ingest-example")
        .parameter("feed", "example")
        .parameter("topic", "example-events")
        .parameter("group", "example")
        .parameter("policy", "persist")
        .parameter("user", "json:/user_id")
        .parameter("retry-topic", "example-retry")
        .parameter("retry-group", "example-retry");

    from("direct:handle-example")
        .routeId("handle-example")
        .routeDescription("Counts words, and fails on an event that has none.")
        .routeGroup("feeds")
        .routeConfigurationId("propagate")
        .validate(simple("${bodyAs(String)} != ''"))
        .id("refuse-empty")
        .setHeader("words", bodyAs(String.class).tokenize(" "))
        .id("count-words");
  }
}
