package io.failureledger.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a campaign comes to. Looks into effects, ledger, topics, health and logs; changes nothing.
 */
final class CampaignVerdict {
  private static final int SHOWN = 10;

  private final Site site;
  private final LedgerView ledger;
  private final CampaignFleet fleet;
  private final CampaignTraffic traffic;
  private final CampaignJournal journal;
  private final Map<String, KafkaTopic> topics;
  private final CampaignRows rows;
  private final CampaignEffects effects;

  /**
   * @param topics of each feed
   */
  CampaignVerdict(
      Site site,
      LedgerView ledger,
      CampaignFleet fleet,
      CampaignTraffic traffic,
      CampaignJournal journal,
      Map<String, KafkaTopic> topics) {
    this.site = site;
    this.ledger = ledger;
    this.fleet = fleet;
    this.traffic = traffic;
    this.journal = journal;
    this.topics = topics;
    this.rows = new CampaignRows(ledger);
    this.effects = new CampaignEffects(journal, ledger);
  }

  /** What is still to come once all is healed; nothing may be left in the end. */
  List<String> unfinished() {
    List<String> left = new ArrayList<>(rows.problems());
    for (String feed : topics.keySet()) {
      List<String> missing = effects.missing(feed, traffic.sent(feed), rows.discarded(feed));
      if (!missing.isEmpty()) {
        left.add(missing.size() + " effects missing in " + feed + ": " + few(missing));
      }
    }
    if (left.isEmpty()) {
      topics.forEach((feed, topic) -> left.addAll(CampaignSite.lag(site, feed, topic)));
      if (!fleet.allAreUp()) {
        left.add("an instance is down");
      }
    }
    return left;
  }

  /** What happened that should not have. */
  List<String> problems(LogLines here) {
    for (Map<String, Object> stall : ledger.rows("select * from campaign_stall")) {
      journal.trouble(
          (String) stall.get("instance"),
          "stalled",
          CampaignExcuses.time(stall, "began"),
          CampaignExcuses.time(stall, "ended"));
    }
    List<String> problems = new ArrayList<>();
    for (String feed : topics.keySet()) {
      effects
          .unexplained(feed)
          .forEach((event, line) -> problems.add("twice: " + line + rows.history(feed, event)));
      long doubles = effects.doubles(feed);
      journal.say(feed + ": " + traffic.sent(feed).size() + " sent, " + doubles + " twice");
    }
    String ordered = CampaignTraffic.ORDERED;
    effects
        .outOfOrder(ordered, rows.discarded(ordered))
        .forEach(
            (event, line) -> problems.add("out of order: " + line + rows.history(ordered, event)));
    topics.keySet().forEach(feed -> problems.addAll(notPublished(feed)));
    problems.addAll(CampaignLog.suspicious(fleet.lines(), here.all()));
    journal.say(rows.summary());
    return few(problems);
  }

  /** Events that were failed and are not on their dead-letter topic. */
  private List<String> notPublished(String feed) {
    String topicName = site.get(CampaignSite.prefix(feed) + ".dead-letter.topic");
    try (KafkaTopic topic = new KafkaTopic(topicName)) {
      Set<String> there =
          topic.all().stream()
              .map(record -> KafkaTopic.header(record, "event-id"))
              .collect(Collectors.toSet());
      return rows.failedOnce(feed).stream()
          .filter(id -> !there.contains(id))
          .map(id -> "failed and not published: " + id)
          .toList();
    }
  }

  private static List<String> few(List<String> all) {
    return all.size() <= SHOWN ? all : all.subList(0, SHOWN);
  }
}
