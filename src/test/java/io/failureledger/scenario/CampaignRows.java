package io.failureledger.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a campaign's ledger is held to once all is well again. */
final class CampaignRows {
  /** Each row counts problems of one kind; none is allowed. */
  private static final Map<String, String> PROBLEMS =
      new TreeMap<>(
          Map.of(
              "not done with",
              "select count(*) from failed_event where status not in ('resolved', 'discarded')",
              "leased",
              "select count(*) from failed_event where lease_owner is not null",
              "claims left over",
              "select count(*) from failed_event where status = 'resolved' and claims <> 0",
              "marks left over",
              "select count(*) from failed_event where dead_letter_due",
              "places left over",
              "select count(*) from ordered_event",
              "breakers not closed",
              "select count(*) from breaker where state <> 'closed'",
              "two attempts of one claim",
              "select count(*) from (select from failed_event_attempt group by failed_event_id, lease_token having count(*) > 1) d",
              "holes in the history",
              "select count(*) from failed_event f where replays <> (select count(*) from failed_event_attempt a"
                  + " where a.failed_event_id = f.id and a.attempt between 1 and f.replays)"
                  + " or exists (select from failed_event_attempt a where a.failed_event_id = f.id and a.attempt > f.replays)",
              "resolved more or less often than it was reopened",
              "select count(*) from failed_event f where reopens + case when status = 'resolved' then 1 else 0 end"
                  + " <> (select count(*) from failed_event_attempt a where a.failed_event_id = f.id and a.outcome = 'resolve')",
              "counted wrongly",
              """
              select count(*) from failed_event f
              where f.retry_count <> (
                select count(*) from failed_event_attempt a
                where a.failed_event_id = f.id and a.outcome in ('reschedule', 'fail')
                  and a.attempt > coalesce((select max(r.replays) from campaign_reopened r where r.row_id = f.id), 0)
                  and a.attempt > coalesce((
                    select p.attempt from failed_event_attempt p
                    where p.failed_event_id = f.id and p.outcome = 'resolve'
                    order by p.attempt desc
                    offset case when f.status = 'resolved' then 1 else 0 end limit 1), 0))
              """));

  private final LedgerView ledger;

  CampaignRows(LedgerView ledger) {
    this.ledger = ledger;
  }

  /** All that is wrong now, in words. */
  List<String> problems() {
    List<String> found = new ArrayList<>();
    PROBLEMS.forEach(
        (what, sql) -> {
          long count = ledger.<Long>value(sql);
          if (count > 0) {
            found.add(count + " " + what);
          }
        });
    return found;
  }

  /** Events that somebody discarded, were they reopened or not. */
  Set<String> discarded(String feed) {
    return ledger
        .rows(
            "select distinct convert_from(c.key, 'utf8') || ':' || convert_from(c.body, 'utf8') as event"
                + " from campaign_discarded d join failed_event f on f.id = d.row_id"
                + " join failed_event_content c on c.failed_event_id = f.id where f.feed = ?",
            feed)
        .stream()
        .map(row -> (String) row.get("event"))
        .collect(Collectors.toSet());
  }

  /** Identities of events that were failed, at the time when somebody reopened them. */
  Set<String> failedOnce(String feed) {
    return ledger
        .rows(
            "select distinct r.event_id from campaign_reopened r join failed_event f on f.id = r.row_id"
                + " where f.feed = ? and r.was = 'failed'",
            feed)
        .stream()
        .map(row -> (String) row.get("event_id"))
        .collect(Collectors.toSet());
  }

  /** What became of one event, for a person. */
  String history(String feed, String event) {
    return " "
        + ledger.rows(
            "select f.id, f.status, f.reopens, f.occurrences, f.created_at,"
                + " (select string_agg(a.attempt || ' ' || a.outcome || ' ' || a.instance || ' ' || a.settled_at::time,"
                + " ', ' order by a.attempt)"
                + " from failed_event_attempt a where a.failed_event_id = f.id) as attempts"
                + " from failed_event f join failed_event_content c on c.failed_event_id = f.id"
                + " where f.feed = ? and convert_from(c.key, 'utf8') || ':' || convert_from(c.body, 'utf8') = ?",
            feed,
            event);
  }

  /** What was in the ledger, for a person. */
  String summary() {
    return ledger
        .rows(
            "select feed, status, count(*), sum(replays) as replays, sum(reopens) as reopens,"
                + " max(claims) as claims from failed_event group by 1, 2 order by 1, 2")
        .toString();
  }
}
