package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is kept of what happened to a row. {@code -Dreplays=100000} for so many replays, of more
 * events.
 */
@Timeout(300)
class HistoryIT {
  private static final int ATTEMPTS = 20;
  private static final int EVENTS = Integer.getInteger("replays", ATTEMPTS) / ATTEMPTS;

  @Test
  void ofAnyNumberOfReplaysOfOneEventTheNewestAreKeptAndNoMore() {
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("replay.period", "10ms")
            .set("policy.probe.base", "1ms")
            .set("policy.probe.cap", "1ms")
            .set("policy.probe.attempts", Integer.toString(ATTEMPTS))
            .set("policy.probe.history", "5")) {
      site.probe.order(
          exchange -> {
            throw new IllegalStateException("replay " + exchange.getMessage().getHeader("attempt"));
          });
      Rows rows = new Rows(site);
      IntStream.rangeClosed(1, EVENTS).forEach(event -> rows.due("e" + event));
      site.start();
      await().atMost(240, SECONDS).until(() -> site.ledger.count("status = 'failed'") == EVENTS);
      assertThat(site.ledger.count("retry_count = 20 and replays = 20")).isEqualTo(EVENTS);
      assertThat(site.ledger.<Long>value("select count(*) from failed_event_attempt"))
          .isEqualTo(5L * EVENTS);
      assertThat(attempts(site, "error_message"))
          .isEqualTo(IntStream.rangeClosed(16, 20).mapToObj(n -> "replay " + n).toList());
      assertThat(attempts(site, "outcome"))
          .containsExactly("reschedule", "reschedule", "reschedule", "reschedule", "fail");
      assertThat(attempts(site, "instance")).containsOnly(site.name);
      assertThat(
              site.ledger.<Boolean>value(
                  "select bool_and(duration_ms between 0 and 60000) from failed_event_attempt"))
          .isTrue();
    }
  }

  private static List<Object> attempts(Site site, String column) {
    return site
        .ledger
        .rows(
            "select "
                + column
                + " as it from failed_event_attempt where failed_event_id = (select min(id) from failed_event) order by attempt")
        .stream()
        .map(row -> row.get("it"))
        .toList();
  }
}
