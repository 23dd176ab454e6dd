package io.failureledger.bench;

import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.PostgresService;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * A home with the one feed {@code noop}. Every setting that is not needed to find the servers is
 * the product's default, or what {@code -D} says.
 */
final class NoopHome implements AutoCloseable {
  private static int instances;

  private final Path path;
  private final Settings settings;

  /**
   * @param own settings beside the ledger's
   * @param more files of routes beside the feed's
   */
  NoopHome(String ledgerUrl, Map<String, String> own, String... more) throws IOException {
    path = Home.with();
    copy("noop");
    for (String file : more) {
      copy(file);
    }
    Properties properties = new Properties();
    properties.setProperty("ledger.url", ledgerUrl);
    properties.setProperty("ledger.username", PostgresService.USER);
    properties.setProperty("instance.name", "bench-" + ++instances);
    properties.setProperty("management.port", Integer.toString(FreePort.find()));
    properties.setProperty("noop.consumers", "1");
    own.forEach(properties::setProperty);
    settings = Settings.load(path, properties);
  }

  private void copy(String name) throws IOException {
    String file = "feeds/" + name + ".camel.yaml";
    try (InputStream routes = NoopHome.class.getResourceAsStream("/" + file)) {
      Files.copy(routes, path.resolve("routes").resolve(file));
    }
  }

  /**
   * For an instance that only replays: its source has no address and is looked for once an hour.
   */
  static NoopHome withoutSource(String ledgerUrl) throws IOException {
    return new NoopHome(
        ledgerUrl,
        Map.of(
            "kafka.brokers", "nowhere.invalid:1",
            "noop.topic", "none",
            "noop.group", "none",
            "feed.restart.delays", "1h"));
  }

  Path path() {
    return path;
  }

  Settings settings() {
    return settings;
  }

  @Override
  public void close() {
    Home.delete(path);
  }
}
