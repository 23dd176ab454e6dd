package io.failureledger.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;

/** The one stored event of a shop: what was captured of it, and what an operator does with it. */
final class ParkedEvent {
  private final LedgerView ledger;
  final Map<String, Object> row;

  /**
   * @param shop has exactly one event in the ledger that is not resolved
   */
  ParkedEvent(LedgerView ledger, String shop) {
    this.ledger = ledger;
    List<Map<String, Object>> rows =
        ledger.rows(
            "select * from failed_event f join failed_event_content c on c.failed_event_id = f.id"
                + " where lower(c.shop_domain) = ? and f.status in ('pending', 'failed')",
            shop);
    assertThat(rows).as("stored events of %s", shop).hasSize(1);
    row = rows.get(0);
  }

  long id() {
    return (Long) row.get("id");
  }

  /** All that came with the event is there. */
  ParkedEvent has(String shop, String topic, String body) {
    assertThat((byte[]) row.get("body")).isEqualTo(body.getBytes(UTF_8));
    assertThat(row)
        .containsEntry("feed", "shopify")
        .containsEntry("event_type", topic)
        .containsEntry("shop_domain", shop)
        .containsEntry("target", "shop:" + shop);
    assertThat(row.get("event_id").toString()).contains(shop);
    assertThat(row.get("headers").toString())
        .contains("X-Shopify-Topic", topic)
        .contains("X-Shopify-Shop-Domain", shop)
        .contains("X-Shopify-Webhook-Id");
    return this;
  }

  /** The failure is told: its type, what it says, and where it was thrown. */
  ParkedEvent failedBy(String type, String... says) {
    assertThat(row.get("error_type").toString()).endsWith(type);
    for (String words : says) {
      assertThat(row.get("error_message").toString()).contains(words);
    }
    assertThat(row.get("stack_trace").toString()).contains(type, "\tat io.failureledger.");
    return this;
  }

  /**
   * @param errorClass terminal: failed at once; retry or pause: pending
   */
  ParkedEvent ofClass(String errorClass) {
    assertThat(row)
        .containsEntry("error_class", errorClass)
        .containsEntry("status", errorClass.equals("terminal") ? "failed" : "pending")
        .containsEntry("retry_count", 0);
    return this;
  }

  /** Replays it: a failed one is reopened first, by the statement of the operator's page. */
  ParkedEvent replay() {
    if (row.get("status").equals("failed")) {
      ledger.run(OperatorPage.reopen(id()));
    } else {
      ledger.run("update failed_event set next_retry_at = now() where id = " + id());
    }
    return this;
  }

  void awaitStatus(String status) {
    await()
        .atMost(30, SECONDS)
        .until(() -> ledger.count("id = " + id() + " and status = '" + status + "'") == 1);
  }

  /** Its replay succeeds, the first one: nothing is counted against it. */
  void resolves() {
    replay().awaitStatus("resolved");
    assertThat(ledger.count("id = " + id() + " and retry_count = 0 and reason is null")).isOne();
  }
}
