package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.ledger.SqlFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A park and an advance of one subject that run at the same time, each held open where it hurts.
 */
@Timeout(60)
class OrderedStatementsIT {
  private static final String RESOLVE =
      "update failed_event set status = 'resolved', resolved_at = now(), reason = null, next_retry_at = 'infinity' where event_id = '%s'";

  private static final String LIMIT = "5";

  private final Site site = new Site("probe");
  private final LedgerView other = new LedgerView(Servers.postgres().jdbcUrl(site.name));

  @BeforeEach
  void parkTwo() {
    park(site.ledger, "e1", false);
    park(site.ledger, "e2", true);
    site.ledger.run(RESOLVE.formatted("e1"));
  }

  @AfterEach
  void close() {
    other.close();
    site.close();
  }

  private static List<Map<String, Object>> park(LedgerView on, String event, boolean blocked) {
    Map<String, String> row = new LinkedHashMap<>();
    String empty =
        "error_type reason target event_type shop_domain user_id source_time received_at fingerprint"
            + " error_message stack_trace ordering_key subject";
    List.of(empty.split(" ")).forEach(column -> row.put(column, "null"));
    String given =
        "ordered_subject='s' feed='probe' content_hash='\\x00' status='pending' error_class='retry'"
            + " retry_count=0 first_delay=3600 max_behind=10 dead_letter=false source='test' headers='[]' key='s' body='{}'";
    List.of(given.split(" ")).forEach(pair -> row.put(pair.split("=")[0], pair.split("=")[1]));
    row.put("event_id", "'" + event + "'");
    row.put("blocked", Boolean.toString(blocked));
    row.put("reopen_max", blocked ? "2147483647" : "3");
    return on.rows(filled("failed_event/park-ordered-event", row));
  }

  private static List<Map<String, Object>> advance(LedgerView on) {
    return on.rows(
        filled(
            "ordered_event/advance-subjects",
            Map.of("feeds", "array['probe']", "subjects", "array['s']", "limit", LIMIT)));
  }

  private List<Map<String, Object>> waiting() {
    return site.ledger.rows(
        filled(
            "ordered_event/find-waiting-subjects",
            Map.of("feed", "'probe'", "from_subject", "''", "limit", LIMIT)));
  }

  static String filled(String statement, Map<String, String> parameters) {
    String sql = SqlFile.read(statement);
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      sql =
          sql.replaceAll(
              ":\\?" + parameter.getKey() + "\\b", parameter.getValue().replace("\\", "\\\\"));
    }
    return sql;
  }

  private List<Object> inOrder() {
    return site
        .ledger
        .rows(
            "select f.event_id from ordered_event o join failed_event f on f.id = o.failed_event_id order by o.place")
        .stream()
        .map(row -> row.get("event_id"))
        .toList();
  }

  /** Asked on the connection that holds the lock: the other one is busy waiting. */
  private static void awaitLockWait(LedgerView holder) {
    await()
        .atMost(30, SECONDS)
        .until(
            () ->
                holder.<Long>value(
                        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                    == 1);
  }

  @Test
  void aResolvedEventMakesTheNextOneDueOnce() {
    assertThat(advance(site.ledger).get(0)).containsEntry("looked", 2L).containsEntry("due", 1L);
    assertThat(advance(site.ledger).get(0)).containsEntry("looked", 1L).containsEntry("due", 0L);
    assertThat(inOrder()).containsExactly("e2");
    assertThat(site.ledger.count("event_id = 'e2' and next_retry_at <= now() and reason is null"))
        .isOne();
  }

  @Test
  void anEventThatFailsAgainWhileItsPlaceIsTakenAwayGetsANewOne() {
    site.ledger.run("begin");
    advance(site.ledger);
    CompletableFuture<?> parked = CompletableFuture.runAsync(() -> park(other, "e1", true));
    awaitLockWait(site.ledger);
    site.ledger.run("commit");
    parked.join();
    assertThat(inOrder()).containsExactly("e2", "e1");
    assertThat(site.ledger.count("event_id = 'e1' and reason = 'behind' and occurrences = 2"))
        .isOne();
  }

  @Test
  void theNewPlaceOfAnEventThatFailsAgainIsNotTakenAwayWithTheOldOne() {
    other.run("begin");
    park(other, "e1", true);
    CompletableFuture<?> advanced = CompletableFuture.runAsync(() -> advance(site.ledger));
    awaitLockWait(other);
    other.run("commit");
    advanced.join();
    assertThat(inOrder()).containsExactly("e2", "e1");
  }

  @Test
  void anEventParkedBehindOneThatIsJustBeingTakenAwayIsFoundWaiting() {
    site.ledger.run(RESOLVE.formatted("e2"));
    site.ledger.run("begin");
    advance(site.ledger);
    // It does not see the advance, and goes behind what is gone a moment later.
    park(other, "e3", true);
    site.ledger.run("commit");
    assertThat(site.ledger.count("event_id = 'e3' and next_retry_at = 'infinity'")).isOne();
    assertThat(waiting()).hasSize(1);
    advance(site.ledger);
    assertThat(site.ledger.count("event_id = 'e3' and next_retry_at <= now()")).isOne();
    assertThat(waiting()).isEmpty();
  }

  @Test
  void anEventThatOnlyWaitedIsReopenedUncounted() {
    park(site.ledger, "e1", true);
    assertThat(inOrder()).containsExactly("e2", "e1");
    assertThat(site.ledger.count("event_id = 'e1' and status = 'pending' and reopens = 0")).isOne();
    site.ledger.run(RESOLVE.formatted("e1"));
    park(site.ledger, "e1", false);
    assertThat(site.ledger.count("event_id = 'e1' and status = 'pending' and reopens = 1")).isOne();
  }

  @Test
  void anEventThatIsResolvedWhileItComesAgainGetsANewPlace() {
    park(site.ledger, "e1", true);
    site.ledger.run("begin");
    site.ledger.run(RESOLVE.formatted("e2"));
    CompletableFuture<?> parked = CompletableFuture.runAsync(() -> park(other, "e2", true));
    awaitLockWait(site.ledger);
    site.ledger.run("commit");
    parked.join();
    assertThat(inOrder()).containsExactly("e1", "e2");
  }

  @Test
  void anUnresolvedEventThatComesAgainKeepsItsPlace() {
    park(site.ledger, "e3", true);
    park(site.ledger, "e2", true);
    assertThat(inOrder()).containsExactly("e1", "e2", "e3");
    assertThat(site.ledger.count("event_id = 'e2' and occurrences = 2")).isOne();
  }
}
