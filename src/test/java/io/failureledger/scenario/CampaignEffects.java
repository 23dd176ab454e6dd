package io.failureledger.scenario;

import io.failureledger.scenario.CampaignExcuses.Effect;
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
  private final CampaignJournal journal;
  private final LedgerView ledger;

  CampaignEffects(CampaignJournal journal, LedgerView ledger) {
    this.journal = journal;
    this.ledger = ledger;
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
                  CampaignExcuses.time(row, "began"),
                  CampaignExcuses.time(row, "happened")));
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
    CampaignExcuses excuses = new CampaignExcuses(journal, ledger, feed);
    of(feed)
        .forEach(
            (event, effects) -> {
              for (int i = 1; i < effects.size(); i++) {
                if (!excuses.allow(event, effects.get(i - 1), effects.get(i))) {
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
