package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of very many subjects at once, on a ledger that takes no long statement. */
@Timeout(120)
class OrderBulkIT {
  private static final int SUBJECTS = 20_000;

  /** Each subject has a discarded event, and one that waits behind it. */
  private static void insert(Site site) {
    site.ledger.run(
        ("insert into failed_event (feed, event_id, content_hash, status, next_retry_at, reason, discarded_at)"
                + " select 'probe', 'e' || n, '\\x00', case when n <= %1$d then 'discarded' else 'pending' end,"
                + " 'infinity', case when n > %1$d then 'behind' end,"
                + " case when n <= %1$d then now() end from generate_series(1, 2 * %1$d) n")
            .formatted(SUBJECTS));
    site.ledger.run(
        ("insert into ordered_event (failed_event_id, feed, subject)"
                + " select id, feed, 's' || mod(substr(event_id, 2)::int, %d) from failed_event order by id")
            .formatted(SUBJECTS));
    site.ledger.run("analyze");
  }

  private static Site paused() {
    Site site = new Site("probe").withKafka(1).set("ledger.statement.timeout", "500ms");
    site.ledger.run(
        "insert into feed_control (feed, paused, changed_by) values ('probe', true, 'test')");
    insert(site);
    return site;
  }

  private static void awaitDue(Site site) {
    await()
        .atMost(60, SECONDS)
        .until(
            () -> site.ledger.count("next_retry_at <= now() and reason is null"),
            due -> due == SUBJECTS);
  }

  @Test
  void whatWaitsBehindVeryManyDiscardedEventsIsDueSoon() {
    try (Site site = paused().set("probe.order", "subject").set("order.period", "100ms")) {
      site.start();
      awaitDue(site);
      assertThat(site.ledger.<Long>value("select count(*) from ordered_event")).isEqualTo(SUBJECTS);
      await().atMost(30, SECONDS).until(() -> site.counted("failure_ledger_ordered_behind") == 0);
    }
  }

  @Test
  void veryManyEventsThatWaitAreDueWhenTheirFeedKeepsNoOrderAnyMore() {
    try (Site site = paused().set("order.period", "100ms")) {
      site.start();
      awaitDue(site);
      assertThat(site.ledger.<Long>value("select count(*) from ordered_event")).isZero();
    }
  }
}
