package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of a feed that was renamed or whose route file is gone are seen, moved and discarded. */
@Timeout(120)
class UnconfiguredFeedsIT {
  private static final String FIND = "failed_event/find-unconfigured-feeds";
  private static final String NOT_DONE =
      "feed = 'old-feed' and (status in ('pending', 'failed') or dead_letter_due)";

  private final Site site = new Site("probe");
  private final Rows rows = new Rows(site);

  @AfterEach
  void close() {
    site.close();
  }

  private List<Object> found(String configured) {
    return site
        .ledger
        .rows(OrderedStatementsIT.filled(FIND, Map.of("feeds", "array[" + configured + "]")))
        .stream()
        .map(row -> row.get("feed"))
        .toList();
  }

  private void change(String eventId, String how) {
    site.ledger.run("update failed_event set " + how + " where event_id = '" + eventId + "'");
  }

  /** A row of each kind that is not done with, and two that are. */
  private void rowsOf(String feed) {
    for (String kind : List.of("pending", "failed", "marked", "resolved", "discarded")) {
      rows.due(kind, feed);
    }
    change("failed", "status = 'failed', failed_at = now(), next_retry_at = 'infinity'");
    change(
        "marked",
        "status = 'failed', failed_at = now(), next_retry_at = '-infinity', dead_letter_due = true");
    change("resolved", "status = 'resolved', resolved_at = now(), next_retry_at = 'infinity'");
    change("discarded", "status = 'discarded', discarded_at = now(), next_retry_at = 'infinity'");
    site.ledger.run(
        "insert into ordered_event (failed_event_id, feed, subject) select id, feed, 's' from failed_event where event_id = 'pending'");
  }

  /** The n-th statement of the operator's page. */
  private static String documented(int n) throws IOException {
    String page = Files.readString(Path.of("docs/states.md"));
    Matcher block =
        Pattern.compile("(?s)```sql\n(.*?)```")
            .matcher(page.substring(page.indexOf("## Rows of a feed that is gone")));
    for (int i = 0; i < n; i++) {
      assertThat(block.find()).isTrue();
    }
    return block.group(1);
  }

  @Test
  void feedsAreFoundByTheirRowsThatAreNotDoneWith() {
    assertThat(found("'probe'")).isEmpty();
    Map.of("e1", "a", "e2", "a", "e3", "probe", "e4", "z", "e5", "done").forEach(rows::due);
    change("e5", "status = 'resolved', resolved_at = now(), next_retry_at = 'infinity'");
    assertThat(found("'probe'")).containsExactly("a", "z");
    assertThat(found("'probe', 'a'")).containsExactly("z");
    assertThat(found("'a', 'probe', 'z'")).isEmpty();
    change("e5", "status = 'failed', failed_at = now(), resolved_at = null");
    assertThat(found("'probe'")).containsExactly("a", "done", "z");
  }

  @Test
  void itReadsAFewPagesForEachFeedHoweverManyRowsThereAre() throws SQLException {
    site.ledger.run(
        "insert into failed_event (feed, event_id, content_hash, status, next_retry_at, resolved_at)"
            + " select 'f' || n % 3, n, '\\x00', case when n % 2 = 0 then 'pending' else 'resolved' end,"
            + " case when n % 2 = 0 then now() else 'infinity' end,"
            + " case when n % 2 = 1 then now() end from generate_series(1, 60000) n");
    site.ledger.run("vacuum analyze failed_event");
    try (Connection connection = DriverManager.getConnection(site.get("ledger.url"))) {
      Map<String, Object> parameters =
          Map.of("feeds", connection.createArrayOf("text", new Object[] {"f1"}));
      assertThat(new ShippedStatement(FIND).pages(connection, parameters)).isLessThan(40);
    }
  }

  @Test
  void aFeedThatIsGoneIsToldOfShownAndCounted() {
    rows.due("e1", "old-feed");
    rows.due("e2", "old-feed");
    change("e2", "status = 'failed', failed_at = now(), next_retry_at = 'infinity'");
    try (Operator operator = new Operator(site.withKafka(1), "probe");
        LogLines log = LogLines.since()) {
      site.start();
      await().atMost(30, SECONDS).until(() -> !log.with("not configured: old-feed.").isEmpty());
      assertThat(site.counted("failure_ledger_unconfigured_feeds")).isOne();
      assertThat(operator.says("feed", "list")).as(operator.heard()).isZero();
      assertThat(operator.heard()).containsPattern("old-feed +- +unconfigured +1 +1 +1 +-");
      assertThat(operator.says("feed", "list", "--json")).isZero();
      assertThat(operator.heard())
          .contains(
              "{\"feed\":\"old-feed\",\"broker\":null,\"source\":null,\"state\":\"unconfigured\"",
              "\"pending\":1,\"due\":1,\"failed\":1");
    }
  }

  @Test
  void itsRowsCanBeMovedAsThePageSays() throws IOException {
    rowsOf("old-feed");
    rows.due("pending", "new-feed");
    rows.due("moved", "old-feed");
    site.ledger.run(documented(1));
    assertThat(site.ledger.count(NOT_DONE)).as("an event that is there already").isOne();
    assertThat(site.ledger.count("feed = 'new-feed'")).isEqualTo(4);
    assertThat(site.ledger.count("feed = 'old-feed'")).isEqualTo(3);
    assertThat(site.ledger.rows("select from ordered_event where feed = 'old-feed'")).hasSize(1);
    assertThat(site.ledger.rows("select from operator_action")).hasSize(1);
  }

  @Test
  void itsRowsCanBeDiscardedAsThePageSays() throws IOException {
    rowsOf("old-feed");
    rows.due("another", "probe");
    site.ledger.run(documented(2));
    assertThat(found("'probe'")).isEmpty();
    assertThat(site.ledger.count("status = 'discarded'")).isEqualTo(4);
    assertThat(site.ledger.count("status = 'resolved'")).isOne();
    assertThat(site.ledger.count("feed = 'probe' and status = 'pending'")).isOne();
    assertThat(site.ledger.rows("select from ordered_event")).isEmpty();
    assertThat(site.ledger.rows("select from operator_action")).hasSize(1);
  }
}
