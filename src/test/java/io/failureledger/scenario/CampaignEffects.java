package io.failureledger.scenario;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a campaign's effects are held to: none is missing, each that is there twice has its reason,
 * and the first ones of a key are in order.
 */
final class CampaignEffects {
  /** A run that took so long may have been failed by its time-out all the same. */
  static final Duration OVERDUE = Duration.ofMillis(900);

  /** From an effect until it is settled or its offset committed, on a busy machine. */
  private static final Duration RECORDED = Duration.ofSeconds(4);

  private record Effect(String instance, int attempt, Instant began, Instant happened) {
    boolean overdue() {
      return Duration.between(began, happened).compareTo(OVERDUE) > 0;
    }
  }

  private final CampaignJournal journal;
  private final LedgerView ledger;

  CampaignEffects(CampaignJournal journal, LedgerView ledger) {
    this.journal = journal;
    this.ledger = ledger;
  }

  static Instant time(Map<String, Object> row, String column) {
    return ((Timestamp) row.get(column)).toInstant();
  }

  private Map<String, List<Effect>> of(String feed) {
    Map<String, List<Effect>> effects = new LinkedHashMap<>();
    for (Map<String, Object> row :
        ledger.rows("select * from campaign_effect where feed = ? order by happened, id", feed)) {
      effects
          .computeIfAbsent((String) row.get("event"), event -> new ArrayList<>())
          .add(
              new Effect(
                  (String) row.get("instance"),
                  (Integer) row.get("attempt"),
                  time(row, "began"),
                  time(row, "happened")));
    }
    return effects;
  }

  /** Events without an effect that nobody discarded. */
  List<String> missing(String feed, Collection<String> sent, Set<String> discarded) {
    Map<String, List<Effect>> effects = of(feed);
    return sent.stream()
        .filter(event -> !effects.containsKey(event) && !discarded.contains(event))
        .toList();
  }

  /**
   * Events with a second effect that nothing explains which the documents know, and the effects in
   * words.
   */
  Map<String, String> unexplained(String feed) {
    Map<String, String> unexplained = new LinkedHashMap<>();
    Map<String, Row> rows = rows(feed);
    of(feed)
        .forEach(
            (event, effects) -> {
              for (int i = 1; i < effects.size(); i++) {
                if (!excused(effects.get(i - 1), effects.get(i), rows.get(event))) {
                  unexplained.put(event, feed + " " + event + ": " + words(effects));
                  return;
                }
              }
            });
    return unexplained;
  }

  /** How many events had more than one effect. */
  long doubles(String feed) {
    return of(feed).values().stream().filter(effects -> effects.size() > 1).count();
  }

  /**
   * An event's row.
   *
   * @param created when it first came into the ledger
   * @param reopened whether it came again from its broker after it was resolved, and failed
   */
  private record Row(Instant created, boolean reopened) {}

  private Map<String, Row> rows(String feed) {
    Map<String, Row> rows = new HashMap<>();
    ledger
        .rows(
            "select convert_from(c.key, 'utf8') || ':' || convert_from(c.body, 'utf8') as event, f.created_at, f.reopens"
                + " from failed_event f join failed_event_content c on c.failed_event_id = f.id where f.feed = ?",
            feed)
        .forEach(
            row ->
                rows.put(
                    (String) row.get("event"),
                    new Row(time(row, "created_at"), (Integer) row.get("reopens") > 0)));
    return rows;
  }

  /**
   * The outcome of the first may be lost, or the second is late, or it came again from its broker
   * because whoever parked it could not acknowledge it.
   *
   * @param row null for one that was never parked
   */
  private boolean excused(Effect first, Effect second, Row row) {
    return row != null
            && (second.attempt() == 0 || row.reopened())
            && journal.excusesAny(row.created().minus(RECORDED), row.created().plus(RECORDED))
        || first.overdue()
        || second.overdue()
        || journal.excuses(first.instance(), first.began(), first.happened().plus(RECORDED))
        || journal.excuses(second.instance(), second.began(), second.happened());
  }

  private String words(List<Effect> effects) {
    return effects.stream()
        .map(
            e ->
                e.instance()
                    + " attempt "
                    + e.attempt()
                    + " from"
                    + journal.time(e.began())
                    + " to"
                    + journal.time(e.happened()))
        .toList()
        .toString();
  }

  /**
   * Events that had their first effects after one that was sent later with the same key. Left out
   * are those that somebody discarded, and effects of runs that were given up.
   */
  Map<String, String> outOfOrder(String feed, Set<String> discarded) {
    Map<String, String> wrong = new LinkedHashMap<>();
    Map<String, Integer> last = new HashMap<>();
    Map<String, List<Effect>> effects = of(feed);
    record First(String event, Effect effect) {}
    effects.entrySet().stream()
        .filter(entry -> !discarded.contains(entry.getKey()))
        .flatMap(
            entry ->
                entry.getValue().stream()
                    .filter(effect -> !effect.overdue())
                    .limit(1)
                    .map(effect -> new First(entry.getKey(), effect)))
        .sorted(java.util.Comparator.comparing(first -> first.effect().happened()))
        .forEach(
            first -> {
              String key = first.event().split(":")[0];
              int number = Integer.parseInt(first.event().split(":")[1]);
              Integer before = last.merge(key, number, Math::max);
              if (before > number) {
                wrong.put(
                    first.event(),
                    first.event()
                        + " "
                        + words(effects.get(first.event()))
                        + " after "
                        + key
                        + ":"
                        + before
                        + " "
                        + words(effects.get(key + ":" + before)));
              }
            });
    return wrong;
  }
}
