package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a handler throws, its event is parked and what it said is kept within bounds. */
@Timeout(120)
class ErrorTextIT {
  @Test
  void whateverIsThrownIsStoredCleanedAndBounded() {
    List<Throwable> thrown =
        List.of(
            new IllegalStateException("bad\0id"),
            new IllegalStateException("half a pair \ud800 alone"),
            new IllegalStateException("x".repeat(1_000_000)),
            circular(),
            speechless(),
            new IllegalStateException((String) null),
            new IllegalStateException(""),
            deep(12),
            deep(500),
            new StackOverflowError("an error, no exception"),
            new AssertionError("another"),
            new NoClassDefFoundError("a/third/one"),
            new java.sql.SQLException("relation does not exist", "42P01"),
            new java.sql.SQLTransientConnectionException("the target, not the ledger"));
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            Throwable t = thrown.get(exchange.getMessage().getBody(Integer.class));
            if (t instanceof Error error) {
              throw error;
            }
            throw (Exception) t;
          });
      site.start();
      for (int i = 0; i < thrown.size(); i++) {
        topic.send("k", Integer.toString(i));
      }
      await()
          .atMost(30, SECONDS)
          .until(() -> topic.committed(site.get("probe.group")) == thrown.size());
      List<Map<String, Object>> rows = site.ledger.events();
      assertThat(rows).hasSize(thrown.size());
      assertThat(rows).allSatisfy(row -> assertThat((String) row.get("error_type")).isNotEmpty());
      assertThat(rows)
          .allSatisfy(row -> assertThat((String) row.get("error_message")).hasSizeLessThan(2_001));
      assertThat(rows)
          .allSatisfy(row -> assertThat((String) row.get("stack_trace")).hasSizeLessThan(16_001));
      assertThat(rows.get(0)).containsEntry("error_message", "bad\ufffdid");
      assertThat(rows.get(1)).containsEntry("error_message", "half a pair \ufffd alone");
      assertThat((String) rows.get(3).get("error_message")).contains("run in a circle");
      assertThat((String) rows.get(4).get("error_message")).contains("cannot be read");
      assertThat((String) rows.get(7).get("error_message")).startsWith("level 12: level 11");
      assertThat(rows.get(9))
          .containsEntry("error_type", "java.lang.StackOverflowError")
          .containsEntry("error_message", "an error, no exception");
      // A replay that ends so is settled like any other; that of a target that is away does not
      // count.
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("replays = 1") == thrown.size());
    }
  }

  private static Throwable circular() {
    Throwable outer = new IllegalStateException("outer");
    outer.initCause(new IllegalStateException("inner", outer));
    return outer;
  }

  private static Throwable speechless() {
    return new IllegalStateException() {
      private static final long serialVersionUID = 1L;

      @Override
      public String getMessage() {
        throw new UnsupportedOperationException("no message for you");
      }
    };
  }

  private static Throwable deep(int levels) {
    Throwable cause = null;
    for (int level = 1; level <= levels; level++) {
      cause = new IllegalStateException("level " + level, cause);
    }
    return cause;
  }
}
