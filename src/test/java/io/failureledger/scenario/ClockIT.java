package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.failureledger.scenario.ForkedBundle.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The database's clock says what is due and how long a claim holds; that of an instance may be
 * hours off, or jump. The tests that set an instance's own clock need libfaketime, which is in
 * Debian's package faketime, and are skipped without it.
 */
@Timeout(180)
class ClockIT {
  /** More than a busy machine makes things late, and less than the clocks are off. */
  private static final double HALF_AN_HOUR = 1800;

  private static final Path FAKETIME =
      Path.of(
          System.getProperty("faketime", "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"));

  /** The database says now() with this offset from then on, to everyone who connects. */
  private static void setDatabaseClock(Site site, int hours) {
    String path = "search_path = other_clock, public, pg_catalog";
    site.ledger.run("create schema other_clock");
    site.ledger.run(
        "create function other_clock.now() returns timestamptz stable language sql as"
            + " 'select pg_catalog.now() + interval ''"
            + hours
            + " hours'''");
    site.ledger.run("alter database " + site.name + " set " + path);
    site.ledger.run("set " + path);
  }

  @ParameterizedTest(name = "the database is {0} hours ahead")
  @ValueSource(ints = {-5, 5})
  void anInstanceWhoseClockIsHoursOffClaimsNothingEarlyAndHoldsNothingLonger(int hours)
      throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Site site = new Site("probe").withKafka(1)) {
      setDatabaseClock(site, hours);
      EffectTable effects = EffectTable.of(site);
      site.probe.order(
          exchange -> {
            EffectTable.write(exchange);
            running.countDown();
            go.await(30, SECONDS);
            throw new IllegalStateException("the target is down");
          });
      new Rows(site).insert("later", "now() + interval '4 seconds'", 0, "convert_to('{}', 'utf8')");
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      assertThat(
              site.ledger.<Double>value(
                  "select extract(epoch from e.happened - f.next_retry_at)::float8 from effect e, failed_event f"))
          .isBetween(0.0, HALF_AN_HOUR);
      assertThat(
              site.ledger.<Double>value(
                  "select extract(epoch from lease_until - now())::float8 from failed_event"))
          .isBetween(-HALF_AN_HOUR, 120.0);
      go.countDown();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 1);
      assertThat(
              site.ledger.<Double>value(
                  "select extract(epoch from next_retry_at - now())::float8 from failed_event"))
          .isBetween(-HALF_AN_HOUR, 120.0);
      assertThat(effects.count()).isOne();
    }
  }

  private static Launch clock(Site site, String name, String zone, Map<String, String> clock) {
    assumeTrue(Files.exists(FAKETIME), "libfaketime is not at " + FAKETIME);
    Map<String, String> environment = new HashMap<>(clock);
    environment.put("LD_PRELOAD", FAKETIME.toString());
    // Only the time of day is off; durations are what they are.
    environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    return new Launch(
        Map.of("instance.name", site.name + name), environment, List.of("-Duser.timezone=" + zone));
  }

  @Test
  void instancesWhoseClocksAreHoursApartShareTheWorkAndDoubleNothing() {
    try (Site site = new Site("probe").withKafka(1).set("replay.batch.size", "10")) {
      Launch behind = clock(site, "-behind", "Pacific/Kiritimati", Map.of("FAKETIME", "-7h"));
      Launch ahead = clock(site, "-ahead", "America/Adak", Map.of("FAKETIME", "+9h"));
      EffectTable effects = EffectTable.of(site);
      try (ForkedBundle one = new ForkedBundle(site, behind, "0", "effect", "acknowledge");
          ForkedBundle two = new ForkedBundle(site, ahead, "0", "effect", "acknowledge")) {
        one.awaitLine("ready");
        two.awaitLine("ready");
        Rows rows = new Rows(site);
        rows.insert("in-an-hour", "now() + interval '1 hour'", 0, "convert_to('{}', 'utf8')");
        // One may be at work long before the other.
        AtomicInteger rounds = new AtomicInteger();
        await()
            .atMost(90, SECONDS)
            .until(
                () -> {
                  rows.due("r" + rounds.incrementAndGet() + "-", 200);
                  return effects.writers().size() == 2;
                });
        long all = rounds.get() * 200L;
        await().atMost(90, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == all);
        assertThat(effects.count()).isEqualTo(all);
        assertThat(effects.doubles()).isEmpty();
        assertThat(effects.writers()).hasSize(2);
        assertThat(site.ledger.count("claims > 0 or replays > 1")).isZero();
      }
    }
  }

  @Test
  void aClockThatJumpsHoursBackOrForthNeitherStopsReplaysNorMakesThemEarly() throws IOException {
    try (Site site = new Site("probe").withKafka(1)) {
      Path clock = site.home.resolve("clock");
      Files.writeString(clock, "+0\n");
      Launch launch =
          clock(
              site,
              "-jumps",
              "UTC",
              Map.of("FAKETIME_TIMESTAMP_FILE", clock.toString(), "FAKETIME_NO_CACHE", "1"));
      EffectTable effects = EffectTable.of(site);
      Rows rows = new Rows(site);
      rows.insert("in-an-hour", "now() + interval '1 hour'", 0, "convert_to('{}', 'utf8')");
      try (ForkedBundle bundle = new ForkedBundle(site, launch, "0", "effect", "acknowledge")) {
        bundle.awaitLine("ready");
        for (String jump : List.of("+0", "-6h", "+6h", "-1h")) {
          Files.writeString(clock, jump + "\n");
          rows.due("after" + jump);
          await()
              .alias("a replay after the clock jumped by " + jump)
              .atMost(20, SECONDS)
              .until(() -> !effects.writersOf("after" + jump).isEmpty());
        }
        assertThat(effects.count()).isEqualTo(4);
        assertThat(effects.doubles()).isEmpty();
      }
    }
  }
}
