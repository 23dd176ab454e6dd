package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All that changes rows, at once on the same rows: claims and settles of eight instances, their
 * dead-letter publishes, and an operator's reopen and discard and the pruning. These three are not
 * in the product yet; the test's own keep to the rules that they will have: all lock in the order
 * of ids, reopen and discard take the lease's token away, and pruning deletes a row's attempts with
 * it, after a retention. {@code -Dbusy=180} for minutes of it.
 */
@Timeout(600)
class BusyLedgerIT {
  private static final int BUSY = Integer.getInteger("busy", 10);
  private static final String TAKEN =
      "lease_owner = null, lease_until = '-infinity', lease_token = lease_token + 1, updated_at = now()"
          + " from picked where f.id = picked.id";
  private static final String REOPEN =
      "with picked as (select id from failed_event where status in ('failed', 'discarded') order by id for update)"
          + " update failed_event f set status = 'pending', retry_count = 0, claims = 0, next_retry_at = now(),"
          + " failed_at = null, discarded_at = null, reason = null, "
          + TAKEN;
  private static final String DISCARD =
      "with picked as (select id from failed_event where status in ('pending', 'failed') and id % 10 = 3"
          + " order by id for update)"
          + " update failed_event f set status = 'discarded', discarded_at = now(), failed_at = null,"
          + " next_retry_at = case when dead_letter_due or notify_due then '-infinity' else 'infinity' end::timestamptz, "
          + TAKEN;

  /**
   * Without the retention it could pick a row, wait for a lock, and delete it after it was reopened
   * and settled once more, with an attempt that it does not see.
   */
  private static final String PRUNE =
      "with picked as (select id from failed_event where status in ('resolved', 'discarded')"
          + " and not dead_letter_due and not notify_due and updated_at < now() - interval '500 milliseconds'"
          + " order by id limit 100 for update),"
          + " attempts as (delete from failed_event_attempt a using picked where a.failed_event_id = picked.id)"
          + " delete from failed_event f using picked where f.id = picked.id";

  @Test
  void noRowIsStuckNoSliceIsLostAndNoDeadlockSurfaces() throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger rounds = new AtomicInteger();
    List<LedgerView> operators = new ArrayList<>();
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    try (LogLines log = LogLines.since();
        Site site =
            new Site("probe")
                .withKafka(1)
                .set("replay.batch.size", "50")
                .set("replay.slice.size", "20")
                .set("replay.parallelism", "2")
                .set("ledger.pool.size", "4")
                .set("policy.probe.attempts", "2")
                .set("policy.probe.base", "1s")
                .set("policy.probe.factor", "1")) {
      site.probe.order(
          exchange -> {
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
              throw new IllegalStateException("one in three fails");
            }
          });
      for (int i = 1; i <= 8; i++) {
        site.start(Map.of("instance.name", site.name + "-" + i));
      }
      Rows rows = new Rows(site);
      threads.scheduleWithFixedDelay(
          () -> rows.due("busy-" + rounds.incrementAndGet() + "-", 50), 0, 100, MILLISECONDS);
      for (String statement : List.of(REOPEN, DISCARD, PRUNE)) {
        LedgerView operator = new LedgerView(site.get("ledger.url"));
        operators.add(operator);
        threads.scheduleWithFixedDelay(
            () -> {
              try {
                operator.run(statement);
              } catch (RuntimeException e) {
                failures.add(e);
              }
            },
            500,
            50,
            MILLISECONDS);
      }
      await()
          .during(BUSY, SECONDS)
          .atMost(BUSY + 30, SECONDS)
          .until(() -> failures.isEmpty() && log.with("deadlock").isEmpty());
      threads.shutdown();
      assertThat(threads.awaitTermination(30, SECONDS)).isTrue();
      site.probe.order(ProbeHandler.SUCCEED);
      await()
          .atMost(90, SECONDS)
          .until(() -> site.ledger.count("status = 'pending' or dead_letter_due") == 0);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("lease_owner is not null") == 0);
      assertThat(rounds).hasValueGreaterThan(BUSY);
      assertThat(site.ledger.count("true")).as("some are pruned").isLessThan(rounds.get() * 50L);
      assertThat(
              site.ledger.<Long>value(
                  "select count(*) from failed_event_attempt where failed_event_id not in (select id from failed_event)"))
          .as("attempts of pruned rows")
          .isZero();
      assertThat(site.ledger.count("replays > 1")).isPositive();
      assertThat(failures).isEmpty();
      assertThat(log.with("could not be settled")).isEmpty();
      assertThat(log.with("were not settled")).isEmpty();
      assertThat(
              site.ledger.<Long>value(
                  "select deadlocks from pg_stat_database where datname = current_database()"))
          .isZero();
    } finally {
      threads.shutdownNow();
      operators.forEach(LedgerView::close);
    }
  }
}
