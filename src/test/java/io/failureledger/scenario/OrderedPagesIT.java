package io.failureledger.scenario;

import static io.failureledger.scenario.OrderedStatementsIT.filled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement of ordered_event does no more than it is asked for; some of them do it all. */
@Timeout(60)
class OrderedPagesIT {
  private final Site site = new Site("probe");

  /** Four subjects: three discarded events each, and two that wait behind them. */
  @BeforeEach
  void insert() {
    site.ledger.run(
        "insert into failed_event (feed, event_id, content_hash, status, next_retry_at, reason, discarded_at)"
            + " select 'probe', 'e' || n, '\\x00', case when n <= 12 then 'discarded' else 'pending' end,"
            + " 'infinity', case when n > 12 then 'behind' end,"
            + " case when n <= 12 then now() end from generate_series(1, 20) n");
    site.ledger.run(
        "insert into ordered_event (failed_event_id, feed, subject)"
            + " select id, feed, 's' || mod(substr(event_id, 2)::int, 4) from failed_event order by id");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private List<Map<String, Object>> find(String from, int limit) {
    return site.ledger.rows(
        filled(
            "ordered_event/find-waiting-subjects",
            Map.of("feed", "'probe'", "from_subject", "'" + from + "'", "limit", "" + limit)));
  }

  /** The sum of a column over the subjects. */
  private long[] advance(int limit) {
    List<Map<String, Object>> rows =
        site.ledger.rows(
            filled(
                "ordered_event/advance-subjects",
                Map.of(
                    "feeds",
                    "array_fill('probe'::text, array[4])",
                    "subjects",
                    "array['s0','s1','s2','s3']",
                    "limit",
                    "" + limit)));
    return List.of("looked", "due").stream()
        .mapToLong(name -> rows.stream().mapToLong(row -> (Long) row.get(name)).sum())
        .toArray();
  }

  private long ordered() {
    return site.ledger.<Long>value("select count(*) from ordered_event");
  }

  @Test
  void pagesOfSubjectsAreLookedAtOneAfterTheOther() {
    site.ledger.run(
        "update failed_event set status = 'failed', failed_at = now(), discarded_at = null where event_id in ('e3', 'e4')");
    assertThat(find("", 3)).extracting(row -> row.get("subject")).containsExactly("s1", "s2");
    assertThat(find("", 3)).extracting(row -> row.get("full_page")).containsExactly(false, true);
    assertThat(find("s2", 3))
        .singleElement()
        .hasToString("{subject=s2, waits=true, full_page=false}");
    assertThat(find("s3", 1))
        .singleElement()
        .hasToString("{subject=s3, waits=false, full_page=true}");
  }

  @Test
  void anAdvanceLooksAtSoManyRowsAndSomeOfThemAdvanceAll() {
    assertThat(advance(5)).containsExactly(5, 0);
    assertThat(ordered()).isEqualTo(15);
    assertThat(find("", 9)).hasSize(4);
    long due = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
      long[] advanced = advance(5);
      assertThat(advanced[0]).isBetween(4L, 5L);
      due += advanced[1];
    }
    assertThat(due).isEqualTo(4);
    assertThat(ordered()).isEqualTo(8);
    assertThat(find("", 9)).isEmpty();
    assertThat(
            site.ledger.count(
                "event_id in ('e13', 'e14', 'e15', 'e16') and next_retry_at <= now() and reason is null"))
        .isEqualTo(4);
    assertThat(site.ledger.count("reason = 'behind' and next_retry_at = 'infinity'")).isEqualTo(4);
  }

  @Test
  void aReleaseTakesSoManyRowsAndSomeOfThemReleaseAll() {
    String release =
        filled("ordered_event/release-feeds", Map.of("feeds", "array['probe']", "limit", "15"));
    assertThat(site.ledger.rows(release)).singleElement().hasToString("{looked=15, due=6}");
    assertThat(ordered()).isEqualTo(5);
    assertThat(site.ledger.rows(release)).singleElement().hasToString("{looked=5, due=2}");
    assertThat(site.ledger.rows(release)).singleElement().hasToString("{looked=0, due=0}");
    assertThat(site.ledger.count("next_retry_at <= now() and reason is null")).isEqualTo(8);
  }
}
