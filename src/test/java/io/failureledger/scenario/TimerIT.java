package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.Processor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scheduled routes come round for as long as the process lives, and readiness says it if not. */
@Timeout(180)
class TimerIT {
  private static final Pattern SCHEDULED =
      Pattern.compile("(uri: scheduler:([^\\s?]+)\\S*\\n(?:(?!- route).*\\n)*?)( +)steps:\\n");

  private static final String OWN =
      """
      - route:
          id: own-timer
          description: What an engineer wants done now and then.
          group: feeds
          routeConfigurationId: propagate
          from:
            uri: scheduler:own-timer
            parameters:
              delay: "100"%s
            steps:
              - to:
                  id: call-own
                  uri: direct:own-step
      - route:
          id: own-step
          description: Is called by it.
          group: feeds
          routeConfigurationId: propagate
          from:
            uri: direct:own-step
            steps:
              - process:
                  id: own-step-first
                  ref: own
              - to:
                  id: own-step-last
                  uri: stumble:own-step
      """;

  private final Stumble stumble = new Stumble(3);

  private static void write(Site site, String options) throws IOException {
    Files.writeString(
        site.home.resolve("routes/feeds/own-timer.camel.yaml"), OWN.formatted(options));
  }

  private void start(Site site, Processor own) {
    site.start(
        main -> {
          main.bind("stumble", stumble);
          main.bind("stumbling-poller", stumble.poller());
          main.bind("own", own);
        });
  }

  /** Puts a step that stumbles at the head of each scheduled route, and says where. */
  private static List<String> stumbleInEachScheduledRoute(Path home) throws IOException {
    List<String> places = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home.resolve("routes"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        String routes = Files.readString(file).replace("delay: \"60000\"", "delay: \"100\"");
        Matcher scheduled = SCHEDULED.matcher(routes);
        String stumbling =
            scheduled.replaceAll(
                found -> {
                  String place = found.group(2);
                  places.add(place.replace("{{feed}}", "probe"));
                  String step =
                      "%1$ssteps:\n%1$s  - to:\n%1$s      id: stumble-%2$s\n%1$s      uri: stumble:%2$s\n"
                          .formatted(found.group(3), place);
                  return Matcher.quoteReplacement(found.group(1) + step);
                });
        Files.writeString(file, stumbling);
      }
    }
    return places;
  }

  @Test
  void errorsOfAnyKindEndNoScheduledRouteNorItsPoller() throws IOException {
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("probe.order", "subject")
            .set("order.period", "100ms")
            .set("breaker.refresh.period", "100ms")
            .set("ledger.unresolved.period", "100ms")
            .set("backfill.url", "http://localhost:" + FreePort.find())
            .set("backfill.period", "100ms")) {
      write(site, "\n        pollStrategy: \"#stumbling-poller\"");
      List<String> places = stumbleInEachScheduledRoute(site.home);
      assertThat(places).contains("backfill-users", "own-timer").hasSizeGreaterThan(9);
      places.addAll(List.of("poller", "own-step"));
      start(site, ProbeHandler.SUCCEED::on);
      await()
          .atMost(90, SECONDS)
          .untilAsserted(() -> assertThat(stumble.passed(3)).containsAll(places));
    }
  }

  @Test
  void errorsBetweenClaimAndReplayTakeNoRoomFromLaterReplays() throws IOException {
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("replay.batch.size", "1")
            .set("replay.parallelism", "1")) {
      write(site, "");
      Path claim = site.home.resolve("routes/replay/replay-due.camel.yaml");
      String step =
          "        - to:\n            id: stumble-claim\n            uri: stumble:claim\n";
      String run = "        - bean:\n            id: run-claimed\n";
      Files.writeString(claim, Files.readString(claim).replace(run, step + run));
      new Rows(site).due("e", 20);
      // Each error that took room would take the last of it soon.
      site.set("replay.lease", "3s").set("handler.timeout", "1s").set("replay.claims.max", "100");
      start(site, ProbeHandler.SUCCEED::on);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 20);
      assertThat(stumble.passed(20)).contains("claim");
    }
  }

  @Test
  void oneThatDoesNotComeRoundIsNamedByReadiness() throws IOException {
    Hang hang = new Hang();
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("timer.step.max", "1s")
            .set("handler.timeout", "1s")
            .set("replay.lease", "3s")
            .set("ledger.statement.timeout", "2s")
            .set("backfill.timeout", "100ms")) {
      write(site, "");
      start(site, exchange -> hang.once());
      await().atMost(60, SECONDS).until(() -> site.health().contains("own-timer (no sign of life"));
      assertThat(site.health()).contains("DOWN");
      hang.end();
      await().atMost(60, SECONDS).until(() -> !site.health().contains("own-timer"));
    } finally {
      hang.end();
    }
  }
}
