package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed in the Java DSL, dropped as a file under routes/ of a bundle as it is shipped. */
class JavaRouteTest {
  @TempDir Path home;

  private Main start() throws IOException {
    for (String shipped : List.of("application.properties", "kamelets", "routes")) {
      copy(Path.of(shipped));
    }
    Files.copy(
        Path.of("src/test/resources/routes/ExampleFeed.java"),
        home.resolve("routes/feeds/ExampleFeed.java"));
    Properties overrides = new Properties();
    overrides.setProperty("ledger.url", "jdbc:postgresql://localhost:1/nowhere");
    overrides.setProperty("ledger.username", "nobody");
    overrides.setProperty("pubsub.project", "test");
    // One round from the command line: everything is loaded, nothing consumes.
    Main main = Bundle.create(home, Settings.load(home, overrides), Mode.RETRY);
    main.start();
    return main;
  }

  private void copy(Path shipped) throws IOException {
    try (Stream<Path> files = Files.walk(shipped)) {
      for (Path file : files.toList()) {
        Files.copy(file, home.resolve(file.toString()));
      }
    }
  }

  @Test
  void aJavaFileUnderRoutesIsAFeedAndItsHandlerRuns() throws IOException {
    Main main = start();
    try {
      CamelContext context = main.getCamelContext();
      Feed feed = context.getRegistry().lookupByNameAndType("feeds", Feeds.class).get("example");
      assertThat(feed.source()).isEqualTo("example-events");
      assertThat(feed.retryTopic()).isEqualTo("example-retry");
      assertThat(context.getRoute("ingest-example").getGroup()).isEqualTo("feeds");
      assertThat(handle(context, "two words").getException()).isNull();
      assertThat(handle(context, "").getException()).isNotNull();
    } finally {
      main.stop();
    }
  }

  private static Exchange handle(CamelContext context, String body) {
    return context
        .createFluentProducerTemplate()
        .to("direct:handle-example")
        .withBody(body.getBytes(UTF_8))
        .send();
  }
}
