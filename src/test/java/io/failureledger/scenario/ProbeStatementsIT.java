package io.failureledger.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which event probes an open breaker, and what is left of a claim that was not run. */
@Timeout(60)
class ProbeStatementsIT {
  private final Site site = new Site("probe");
  private final Rows rows = new Rows(site);

  @AfterEach
  void close() {
    site.close();
  }

  private void open(String target, String cause) {
    site.ledger.run(
        "insert into breaker (feed, target, state, cause, opened_at, probe_at) values ('probe', '%s', 'open', '%s', now(), now())"
            .formatted(target, cause));
  }

  private List<Map<String, Object>> probe(String target, boolean wholeFeed) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("probe_period", "10");
    parameters.put("feed", "'probe'");
    parameters.put("target", "'" + target + "'");
    parameters.put("whole_feed", Boolean.toString(wholeFeed));
    parameters.put("owner", "'here'");
    parameters.put("lease", "60");
    return site.ledger.rows(OrderedStatementsIT.filled("failed_event/claim-probe", parameters));
  }

  private void inOrder(String... events) {
    for (String event : events) {
      site.ledger.run(
          "insert into ordered_event (failed_event_id, feed, subject) select id, feed, 's' from failed_event where event_id = '%s'"
              .formatted(event));
    }
  }

  @Test
  void anEventBehindAnotherOfItsSubjectIsNoProbe() {
    rows.due("first");
    rows.due("second");
    inOrder("first", "second");
    site.ledger.run(
        "update failed_event set next_retry_at = now() + interval '1 hour' where event_id = 'first'");
    open("t", "pausing");
    assertThat(probe("t", true)).hasSize(1).allMatch(row -> "first".equals(row.get("event_id")));
  }

  @Test
  void aSubjectThatAFailedEventBlocksGivesNoProbe() {
    rows.due("first");
    rows.due("second");
    inOrder("first", "second");
    site.ledger.run(
        "update failed_event set status = 'failed', failed_at = now(), next_retry_at = 'infinity' where event_id = 'first'");
    open("t", "pausing");
    assertThat(probe("t", true)).hasSize(1).allMatch(row -> row.get("id") == null);
  }

  @Test
  void ofManyTargetsOnlyTheEventsOfThisOneProbeIt() {
    rows.due("other");
    rows.due("own");
    site.ledger.run("update failed_event set target = 't' where event_id = 'own'");
    open("t", "pausing");
    assertThat(probe("t", false)).hasSize(1).allMatch(row -> "own".equals(row.get("event_id")));
    assertThat(probe("t", false)).isEmpty();
  }

  @Test
  void aClaimThatIsReleasedUnrunKeepsItsReason() {
    rows.due("held");
    site.ledger.run("update failed_event set reason = 'held'");
    open("t", "pausing");
    Map<String, Object> claim = probe("t", true).get(0);
    Map<String, String> parameters = new HashMap<>();
    for (String empty : List.of("reasons", "targets", "error_types", "error_classes")) {
      parameters.put(empty, "array[null]");
    }
    parameters.put("error_messages", "array[null]");
    parameters.put("ids", "array[" + claim.get("id") + "]");
    parameters.put("tokens", "array[" + claim.get("lease_token") + "]");
    parameters.put("outcomes", "array['release']");
    parameters.put("delays", "array[0]");
    parameters.put("durations", "array[0]");
    parameters.put("dead_letters", "array[false]");
    parameters.put("histories", "array[5]");
    parameters.put("instance", "'here'");
    assertThat(
            site.ledger.rows(
                OrderedStatementsIT.filled("failed_event/settle-outcomes", parameters)))
        .hasSize(1);
    assertThat(
            site.ledger.count(
                "reason = 'held' and lease_owner is null and claims = 0 and status = 'pending'"))
        .isOne();
  }
}
