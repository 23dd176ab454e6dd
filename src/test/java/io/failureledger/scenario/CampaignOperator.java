package io.failureledger.scenario;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.breaker.FeedControl;
import io.failureledger.replay.Retry;
import io.failureledger.settings.Settings;
import java.util.Properties;
import java.util.function.Function;
import org.apache.camel.main.Main;

/**
 * The person of a campaign. Commands run in a bundle as those of the command line do; what the
 * product has no command for yet is done by SQL, which keeps to the rules that BusyLedgerIT tells.
 */
final class CampaignOperator implements AutoCloseable {
  private static final String TAKEN =
      "lease_owner = null, lease_until = '-infinity', lease_token = lease_token + 1, updated_at = now()"
          + " from picked where f.id = picked.id returning f.id";
  private static final String REOPEN =
      "with picked as (select id, event_id, replays, status from failed_event where status = '%s' and (%s) order by id for update), "
          + "noted as (insert into campaign_reopened (row_id, event_id, replays, was) select id, event_id, replays, status from picked)"
          + " update failed_event f set status = 'pending', retry_count = 0, claims = 0, next_retry_at = now(),"
          + " failed_at = null, discarded_at = null, reason = null, "
          + TAKEN;
  private static final String DISCARD =
      "with picked as (select id from failed_event where id in (select id from failed_event"
          + " where status in ('pending', 'failed') order by md5(id || ' ' || ?) limit 2) and status in ('pending', 'failed')"
          + " order by id for update), noted as (insert into campaign_discarded select id from picked)"
          + " update failed_event f set status = 'discarded', discarded_at = now(), failed_at = null,"
          + " next_retry_at = case when dead_letter_due or notify_due then '-infinity' else 'infinity' end::timestamptz, "
          + TAKEN;
  private static final String ALL_DUE =
      "with picked as (select id from failed_event where status = 'pending' order by id for update)"
          + " update failed_event f set next_retry_at = now() from picked where f.id = picked.id returning f.id";

  private final Site site;
  private final LedgerView ledger;
  private final ProbeHandler.Order handler;

  /**
   * @param ledger a look of its own, which waits for nobody else's transaction
   */
  CampaignOperator(Site site, LedgerView ledger, ProbeHandler.Order handler) {
    this.site = site;
    this.ledger = ledger;
    this.handler = handler;
  }

  int allDue() {
    return ledger.rows(ALL_DUE).size();
  }

  int discard(int pick) {
    return ledger.rows(DISCARD, Integer.toString(pick)).size();
  }

  /**
   * @param status failed or discarded
   * @param which of them, a condition
   */
  int reopen(String status, String which) {
    return ledger.rows(REOPEN.formatted(status, which)).size();
  }

  String pause(String feed) {
    return command(
        bundle ->
            bundle.lookup("feed-control", FeedControl.class).pause(feed, "campaign", "a fault"));
  }

  String resume(String feed) {
    return command(
        bundle -> bundle.lookup("feed-control", FeedControl.class).resume(feed, "campaign", null));
  }

  String retry() {
    return command(bundle -> bundle.lookup("retry", Retry.class).retry(30, null).toString());
  }

  private String command(Function<Main, String> work) {
    Properties own = site.properties();
    own.setProperty("instance.name", CampaignFleet.HERE + "-command");
    Main bundle = Bundle.create(site.home, Settings.load(site.home, own), Mode.RETRY);
    bundle.bind("probe", (org.apache.camel.Processor) handler::on);
    try {
      bundle.start();
      return work.apply(bundle);
    } finally {
      bundle.stop();
    }
  }

  @Override
  public void close() {
    ledger.close();
  }
}
