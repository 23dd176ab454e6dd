package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of what happened to one row. */
@Timeout(120)
class HistoryIT {
  @Test
  void ofAnyNumberOfReplaysOfOneEventTheNewestAreKeptAndNoMore() {
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("replay.period", "10ms")
            .set("policy.probe.base", "1ms")
            .set("policy.probe.cap", "1ms")
            .set("policy.probe.attempts", "200")
            .set("policy.probe.history", "5")) {
      site.probe.order(
          exchange -> {
            throw new IllegalStateException("replay " + exchange.getMessage().getHeader("attempt"));
          });
      new Rows(site).due("e1");
      site.start();
      await().atMost(90, SECONDS).until(() -> site.ledger.count("status = 'failed'") == 1);
      assertThat(site.ledger.count("retry_count = 200 and replays = 200")).isOne();
      assertThat(attempts(site, "error_message"))
          .isEqualTo(IntStream.rangeClosed(196, 200).mapToObj(n -> "replay " + n).toList());
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
        .rows("select " + column + " as it from failed_event_attempt order by attempt")
        .stream()
        .map(row -> row.get("it"))
        .toList();
  }
}
