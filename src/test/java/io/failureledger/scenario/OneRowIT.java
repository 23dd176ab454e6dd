package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statements of the operator's page that reopen and discard one row. */
@Timeout(120)
class OneRowIT {
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

      site.ledger.run(OperatorPage.discard(1));
      awaitStatus(site, 1, "discarded");
      site.probe.order(ProbeHandler.SUCCEED);
      new Rows(site).due("e2");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.ledger.count("id = 1 and status = 'discarded' and replays = 1")).isOne();

      site.ledger.run(OperatorPage.reopen(1));
      awaitStatus(site, 1, "resolved");
      assertThat(site.ledger.count("id = 1 and retry_count = 0 and replays = 2")).isOne();
      assertThat(
              site.ledger.<Long>value(
                  "select count(*) from operator_action where subject = '1' and action in ('row reopen', 'row discard')"))
          .isEqualTo(2);

      site.ledger.run(OperatorPage.reopen(1));
      site.ledger.run(OperatorPage.discard(1));
      assertThat(site.ledger.count("id = 1 and status = 'resolved'")).isOne();
    }
  }
}
