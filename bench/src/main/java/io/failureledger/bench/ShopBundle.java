package io.failureledger.bench;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.PostgresService;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.camel.main.Main;

/** The product, running, with the feed {@code shopify} as it is shipped. Owns its home. */
final class ShopBundle implements AutoCloseable {
  private final Path home = Home.with("shopify");
  private final Settings settings;
  private Main main;

  /**
   * @param endpoint of Pub/Sub
   * @param subscription without its project
   */
  ShopBundle(String ledgerUrl, String endpoint, String subscription) {
    Properties properties = new Properties();
    properties.setProperty("ledger.url", ledgerUrl);
    properties.setProperty("ledger.username", PostgresService.USER);
    properties.setProperty("instance.name", "bench");
    properties.setProperty("management.port", Integer.toString(FreePort.find()));
    properties.setProperty("pubsub.project", Backlog.PROJECT);
    properties.setProperty("pubsub.endpoint", endpoint);
    properties.setProperty("pubsub.credentials", "none");
    properties.setProperty("shopify.subscription", subscription);
    properties.setProperty("feed.restart.delays", "1h");
    settings = Settings.load(home, properties);
  }

  Settings settings() {
    return settings;
  }

  ShopBundle start() {
    main = Bundle.create(home, settings, Mode.RUN);
    main.start();
    return this;
  }

  @Override
  public void close() {
    if (main != null) {
      main.stop();
    }
    Home.delete(home);
  }
}
