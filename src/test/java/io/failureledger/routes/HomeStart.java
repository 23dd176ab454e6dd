package io.failureledger.routes;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.Home;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.main.Main;

/** Starts the bundle of a home as a command does: it reads the feeds, and needs no server. */
final class HomeStart {
  private HomeStart() {}

  /**
   * Starts, stops and deletes the home.
   *
   * @param more settings on top of those that the feeds for tests need
   */
  static void of(Path home, Map<String, String> more) {
    Properties settings = new Properties();
    settings.setProperty("ledger.url", "jdbc:postgresql://localhost:1/nowhere");
    settings.setProperty("ledger.username", "nobody");
    for (String named : List.of("pubsub.project", "probe.subscription", "probe.topic")) {
      settings.setProperty(named, "probe");
    }
    for (String empty : List.of("probe.group", "probe.retry.topic", "probe.dead-letter.topic")) {
      settings.setProperty(empty, "");
    }
    settings.setProperty("policy.probe.first", "0s");
    settings.putAll(more);
    Main main = Bundle.create(home, Settings.load(home, settings), Mode.RETRY);
    main.bind("probe", TestParts.SUCCEED);
    main.bind("probe-batch", TestParts.SUCCEED);
    try {
      main.start();
    } finally {
      main.stop();
      Home.delete(home);
    }
  }
}
