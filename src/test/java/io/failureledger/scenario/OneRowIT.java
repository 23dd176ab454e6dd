package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statements of the operator's page that reopen and discard one row. */
@Timeout(120)
class OneRowIT {
  private static final String HEADING = "### Reopen or discard a row";

  /** The n-th statement of the page, for this row. */
  private static String documented(int n, long row) throws IOException {
    String page = Files.readString(Path.of("docs/operate.md"));
    Matcher block =
        Pattern.compile("(?s)```sql\n(.*?)```").matcher(page.substring(page.indexOf(HEADING)));
    for (int i = 0; i < n; i++) {
      assertThat(block.find()).isTrue();
    }
    return block.group(1).replace("42", Long.toString(row));
  }

  private static void awaitStatus(Site site, long row, String status) {
    await()
        .atMost(30, SECONDS)
        .until(() -> site.ledger.count("id = " + row + " and status = '" + status + "'") == 1);
  }

  @Test
  void aRowThatIsReopenedIsReplayedAndOneThatIsDiscardedIsNot() throws IOException {
    try (Site site = new Site("probe").withKafka(1).set("policy.probe.attempts", "1")) {
      new Rows(site).due("e1");
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      awaitStatus(site, 1, "failed");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("dead_letter_due") == 0);

      site.ledger.run(documented(2, 1));
      awaitStatus(site, 1, "discarded");
      site.probe.order(ProbeHandler.SUCCEED);
      new Rows(site).due("e2");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.ledger.count("id = 1 and status = 'discarded' and replays = 1")).isOne();

      site.ledger.run(documented(1, 1));
      awaitStatus(site, 1, "resolved");
      assertThat(site.ledger.count("id = 1 and retry_count = 0 and replays = 2")).isOne();
      assertThat(
              site.ledger.<Long>value(
                  "select count(*) from operator_action where subject = '1' and action in ('row reopen', 'row discard')"))
          .isEqualTo(2);

      site.ledger.run(documented(1, 1));
      site.ledger.run(documented(2, 1));
      assertThat(site.ledger.count("id = 1 and status = 'resolved'")).isOne();
    }
  }
}
