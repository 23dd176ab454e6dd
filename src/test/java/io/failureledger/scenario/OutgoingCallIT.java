package io.failureledger.scenario;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls out of the bundle: they end, they are made once, and they go where somebody meant. */
@Timeout(180)
class OutgoingCallIT {
  private static final int MEBIBYTE = 1 << 20;

  private final HostileEndpoint hostile = new HostileEndpoint();
  private final WireMockServer endpoint = new WireMockServer(options().dynamicPort());

  @AfterEach
  void stopEndpoints() {
    hostile.close();
    endpoint.stop();
  }

  @Test
  void aBackfillWhoseAnswerHasNoEndIsOverAtItsDeadlineAndHoldsUpNobody() {
    try (Site site = backfilling(hostile.url()).set("backfill.timeout", "2s")) {
      List<String> bad = concat(HostileEndpoint.NO_STATUS, HostileEndpoint.NO_END);
      bad.forEach(user -> addUser(site, user));
      HostileEndpoint.GOOD.forEach(user -> addUser(site, user));
      site.start();
      await().atMost(60, SECONDS).until(() -> users(site, "status = 'requested'") == 3);
      await().atMost(60, SECONDS).until(() -> users(site, "attempts = 1") == 8);
      for (String user : bad) {
        assertThat(lastError(site, user)).as(user).containsPattern(said(user));
      }
      assertThat(hostile.requests()).hasSize(8);
      assertAllHungUp();
    }
  }

  @Test
  void anEventWhoseAnswerHasNoEndFailsAtTheDeadlineOfItsPost() {
    try (Site site = outgoing().set("posting.url", hostile.url())) {
      site.set("posting.deadline", "2s");
      concat(HostileEndpoint.NO_STATUS, HostileEndpoint.NO_END, HostileEndpoint.GOOD)
          .forEach(word -> addEvent(site, word));
      site.start();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 3);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("replays = 1") == 8);
      for (String word : concat(HostileEndpoint.NO_STATUS, HostileEndpoint.NO_END)) {
        assertThat(error(site, word)).as(word).containsPattern(said(word));
      }
      assertThat(error(site, "slow-error")).contains("not now");
      assertAllHungUp();
    }
  }

  @Test
  void asManyBackfillsRunAtOnceAsTheSettingSays() {
    try (Site site = backfilling(hostile.url()).set("backfill.parallelism", "2")) {
      site.set("backfill.timeout", "1h");
      addUser(site, "silent");
      for (int user = 0; user < 5; user++) {
        addUser(site, "u" + user);
      }
      site.start();
      // With the first user's request under way for an hour.
      await().atMost(60, SECONDS).until(() -> users(site, "status = 'requested'") == 5);
      assertThat(users(site, "attempts = 0")).isOne();
      // Ends what the stop would wait for.
      hostile.close();
    }
  }

  @Test
  void oneTryIsOneRequestAndTheRowSaysWhatWasAnswered() {
    endpoint.start();
    answer(status(503).withHeader("Retry-After", "5").withBody("closed for lunch"));
    try (Site site = outgoing()) {
      List<String> feeds = List.of("posting", "calling");
      feeds.forEach(feed -> new Rows(site).due(feed, feed));
      site.start();
      for (int replay = 1; replay <= 3; replay++) {
        int tries = replay;
        await().atMost(60, SECONDS).until(() -> site.ledger.count("replays = " + tries) == 2);
        for (String feed : feeds) {
          assertThat(requests(feed)).as(feed).hasSize(replay);
          assertThat(error(site, feed)).contains(replay < 3 ? "503" : "302");
        }
        if (replay == 2) {
          answer(status(302).withHeader("Location", endpoint.baseUrl() + "/elsewhere"));
        }
        site.ledger.run("update failed_event set next_retry_at = now()");
      }
      assertThat(requests("elsewhere")).isEmpty();
      for (String feed : feeds) {
        assertThat(requests(feed))
            .allSatisfy(r -> assertThat(r.containsHeader("Accept-Encoding")).isFalse());
      }
    }
  }

  @Test
  void anEventWaitsAsLongAsItsTargetAsksForFromWhenItIsParked() {
    endpoint.start();
    answer(status(429).withHeader("Retry-After", "600"));
    try (Site site = outgoing().set("policy.probe.first", "30s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.set("handler.timeout", "5m").set("replay.lease", "1h");
      site.start();
      topic.send("k", "{}");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("feed = 'posting'") == 1);
      assertThat(site.ledger.count("feed = 'posting' and retry_count = 0")).isOne();
      assertThat(wait(site, "posting")).isEqualTo(600);
      assertThat(requests("posting")).hasSize(1);
      // Not only in this feed: none sleeps in its consumer.
      await().atMost(60, SECONDS).until(() -> site.ledger.count("feed = 'calling'") == 1);
      assertThat(requests("calling")).hasSize(1);
    }
  }

  @Test
  void theNextReplayIsAtTheLaterOfPolicyAndWish() {
    String date = "Mon, 01 Jan 2001 00:00:00 GMT";
    String[][] wishes = {
      {"longer than the policy's delay", "600", null, "600"},
      {"shorter", "60", null, "120"},
      {"beyond the cap", "999999999999", null, "3600"},
      {"a date, by a clock that is far behind", "Mon, 01 Jan 2001 00:15:00 GMT", date, "900"},
      {"a date that is past there", "Sun, 31 Dec 2000 23:00:00 GMT", date, "120"},
      {"unreadable", "soon", date, "120"}
    };
    endpoint.start();
    answer(status(204));
    try (Site site = outgoing()) {
      site.set("policy.probe.factor", "1").set("policy.probe.base", "2m");
      site.set("policy.probe.attempts", "100");
      site.start();
      new Rows(site).insert("posting", "e1", "'infinity'", 0, "convert_to('{}', 'utf8')");
      for (int wish = 0; wish < wishes.length; wish++) {
        int replays = wish + 1;
        ResponseDefinitionBuilder answer = status(503).withHeader("Retry-After", wishes[wish][1]);
        answer(wishes[wish][2] == null ? answer : answer.withHeader("Date", wishes[wish][2]));
        site.ledger.run("update failed_event set next_retry_at = now()");
        await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = " + replays) == 1);
        assertThat(wait(site, "posting"))
            .as(wishes[wish][0])
            .isEqualTo(Double.parseDouble(wishes[wish][3]));
      }
    }
  }

  @Test
  void aBackfillIsAskedForAgainAtTheLaterOfBackOffAndWish() {
    endpoint.start();
    try (Site site = backfilling(endpoint.baseUrl())) {
      site.start();
      double[][] wishes = {{200, 200}, {10, 60}, {100000, 600}};
      for (int wish = 0; wish < wishes.length; wish++) {
        String user = "u" + wish;
        answer(status(503).withHeader("Retry-After", Long.toString((long) wishes[wish][0])));
        addUser(site, user);
        String tried = "attempts = 1 and user_id = '" + user + "'";
        await().atMost(30, SECONDS).until(() -> users(site, tried) == 1);
        assertThat(
                site.ledger.<Double>value(
                    "select extract(epoch from next_try_at - updated_at)::float8"
                        + " from backfill_user where user_id = ?",
                    user))
            .isEqualTo(wishes[wish][1]);
        assertThat(lastError(site, user)).contains("503");
        assertThat(requests("admin/backfill")).hasSize(wish + 1);
      }
    }
  }

  @Test
  void keysThatNoHeaderCarriesAsTheyAreStayDifferent() {
    endpoint.start();
    answer(status(204));
    try (Site site = outgoing()) {
      List.of("plain", "\u8a02", "\u6ce8").forEach(id -> new Rows(site).due(id, "posting"));
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 3);
      assertThat(requests("posting"))
          .extracting(request -> request.getHeader("Idempotency-Key"))
          .doesNotHaveDuplicates()
          .contains("plain")
          .allSatisfy(key -> assertThat(key).matches("[ -~]+").doesNotContain("?"));
    }
  }

  @Test
  void aSlashAtTheEndOfTheBackfillAddressChangesNothing() {
    endpoint.start();
    answer(status(200));
    try (Site site = backfilling(endpoint.baseUrl() + "/api/")) {
      addUser(site, "u1");
      site.start();
      await().atMost(30, SECONDS).until(() -> users(site, "status = 'requested'") == 1);
      assertThat(endpoint.findAll(to("/api/admin/backfill"))).hasSize(1);
    }
  }

  @Test
  void anAddressThatNobodyWouldMeanIsRefusedAtTheStart() {
    String[][] addresses = {
      {"backfill.url", "http://me:secret@localhost:1"},
      {"backfill.url", "http://me@localhost:1/"},
      {"backfill.url", "http://localhost:1?user=me"},
      {"backfill.url", "http://localhost:1/#part"},
      {"backfill.url", "http://localhost:100000"},
      {"ledger.url", "jdbc:postgresql://me:secret@localhost/ledger"},
      {"graph.uri", "bolt://me:secret@localhost:7687"}
    };
    try (Site site = outgoing()) {
      for (String[] address : addresses) {
        assertThatThrownBy(() -> site.start(Map.of(address[0], address[1])))
            .as(address[1])
            .hasMessageContaining(address[0])
            .hasMessageContaining("without")
            .message()
            .doesNotContain("secret");
      }
    }
  }

  /** Feeds posting and calling, with replays only; the first delays are 2, 4, 8 minutes. */
  private Site outgoing() {
    return new Site("outgoing")
        .withKafka(1)
        .set("posting.url", endpoint.isRunning() ? endpoint.baseUrl() + "/posting" : "none")
        .set("posting.deadline", "1m")
        .set("calling.url", endpoint.isRunning() ? endpoint.baseUrl() + "/calling" : "http:none");
  }

  /** One user a request. */
  private static Site backfilling(String url) {
    return new Site("probe")
        .withKafka(1)
        .set("backfill.url", url)
        .set("backfill.batch.size", "1")
        .set("backfill.parallelism", "8")
        .set("backfill.period", "100ms")
        .set("backfill.backoff.base", "60s")
        .set("backfill.backoff.cap", "10m");
  }

  private void answer(ResponseDefinitionBuilder response) {
    endpoint.resetMappings();
    endpoint.stubFor(any(anyUrl()).willReturn(response));
  }

  private static ResponseDefinitionBuilder status(int status) {
    return aResponse().withStatus(status);
  }

  private List<LoggedRequest> requests(String feed) {
    return endpoint.findAll(to("/" + feed));
  }

  private static RequestPatternBuilder to(String path) {
    return anyRequestedFor(urlMatching(path));
  }

  /**
   * Each answer without an end was cut, and of the largest ones little was taken. But not where the
   * JDK's client itself gave up an endless row of 102s: it ends the call and keeps that connection.
   */
  private void assertAllHungUp() {
    await()
        .atMost(60, SECONDS)
        .untilAsserted(
            () ->
                assertThat(hostile.hungUp())
                    .contains("slow-headers", "slow-error")
                    .contains("huge-error", "slow-ok", "huge-ok"));
    assertThat(hostile.written()).isLessThan(100L * MEBIBYTE);
  }

  private static void addUser(Site site, String user) {
    site.ledger.rows(
        "insert into backfill_user (feed, user_id, target, status, failed_at)"
            + " values ('probe', ?, 'neptune', 'pending', now()) returning user_id",
        user);
  }

  private static void addEvent(Site site, String word) {
    new Rows(site).due(word, "posting");
    site.ledger.run(
        "update failed_event_content c set body = convert_to('\""
            + word
            + "\"', 'utf8') from failed_event f where f.id = c.failed_event_id and f.event_id = '"
            + word
            + "'");
  }

  private static long users(Site site, String condition) {
    return site.ledger.<Long>value("select count(*) from backfill_user where " + condition);
  }

  private static String lastError(Site site, String user) {
    return site.ledger.value("select last_error from backfill_user where user_id = '" + user + "'");
  }

  private static String error(Site site, String event) {
    return site.ledger.value(
        "select a.error_message from failed_event_attempt a"
            + " join failed_event f on f.id = a.failed_event_id where f.event_id = '"
            + event
            + "' order by a.attempt desc limit 1");
  }

  /** What a row says of an answer without an end. */
  private static String said(String word) {
    return HostileEndpoint.NO_END.contains(word) ? "503" : "not answered|interim";
  }

  private static double wait(Site site, String feed) {
    return site.ledger.<Double>value(
        "select extract(epoch from next_retry_at - updated_at)::float8 from failed_event"
            + " where feed = '"
            + feed
            + "'");
  }

  @SafeVarargs
  private static List<String> concat(List<String>... lists) {
    List<String> all = new ArrayList<>();
    Stream.of(lists).forEach(all::addAll);
    return all;
  }
}
