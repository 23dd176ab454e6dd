package io.failureledger.feeds;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Refuses feeds whose topics would mix up their events, as happens to a feed file that was copied.
 * Allowed are feeds of one source in consumer groups of their own, which each get all of it, and
 * feeds of one dead-letter topic that none of them reads: its records name their feeds. Asked at
 * the start, before anything is consumed; a repeat says the same.
 */
final class FeedTopics {
  private static final String SOURCE = "topic";
  private static final String RETRY = "retry-topic";
  private static final String DEAD_LETTER = "dead-letter-topic";

  private final List<Use> uses = new ArrayList<>();

  /**
   * What a feed uses a topic for.
   *
   * @param as the template's parameter that names the topic
   * @param group in which the feed reads it; empty where it does not
   */
  private record Use(String feed, String as, String topic, String group) {
    boolean is(String parameter) {
      return as.equals(parameter);
    }

    boolean isRead() {
      return !group.isEmpty();
    }
  }

  /**
   * Notes the topics of a feed.
   *
   * @param parameters gives a parameter of the feed's template, empty when it is not set
   */
  void add(Feed feed, UnaryOperator<String> parameters) {
    uses.add(new Use(feed.name(), SOURCE, feed.source(), parameters.apply("group")));
    if (feed.retryTopic() != null) {
      String group = parameters.apply("retry-group");
      uses.add(new Use(feed.name(), RETRY, feed.retryTopic(), group));
    }
    if (feed.deadLetterTopic() != null) {
      String group = parameters.apply("dead-letter-group");
      uses.add(new Use(feed.name(), DEAD_LETTER, feed.deadLetterTopic(), group));
    }
  }

  /**
   * @throws RouteRefusedException naming two feeds, the topic, what would happen and what is
   *     allowed
   */
  void check() {
    for (int i = 0; i < uses.size(); i++) {
      for (int j = i + 1; j < uses.size(); j++) {
        if (uses.get(i).topic().equals(uses.get(j).topic())) {
          check(uses.get(i), uses.get(j));
        }
      }
    }
  }

  private static void check(Use one, Use other) {
    boolean both = one.is(other.as());
    if (both && one.is(SOURCE)) {
      if (one.isRead() && one.group().equals(other.group())) {
        refuse(
            one,
            other,
            "both in the group "
                + one.group()
                + ": each event would reach only one of them; allowed is a group of its own for each feed");
      }
    } else if (both && one.is(DEAD_LETTER)) {
      if (one.isRead() || other.isRead()) {
        refuse(
            one,
            other,
            "and has a dead-letter-group: users of one feed would be asked for as the other's; allowed is a"
                + " dead-letter-topic of its own for each feed, or one for both without any dead-letter-group");
      }
    } else if (one.is(RETRY) || other.is(RETRY)) {
      refuse(
          one,
          other,
          "and all that is on a retry-topic is parked as failed events of its feed; allowed is a retry-topic of its"
              + " own for each feed, which is no topic or dead-letter-topic of any feed");
    } else {
      refuse(
          one,
          other,
          "and each failed event would come in again as a new one; allowed is a dead-letter-topic that is no topic"
              + " of any feed");
    }
  }

  private static void refuse(Use one, Use other, String why) {
    throw new RouteRefusedException(
        "the topic "
            + one.topic()
            + " is the "
            + one.as()
            + " of the feed "
            + one.feed()
            + " and the "
            + other.as()
            + " of the feed "
            + other.feed()
            + ", "
            + why,
        "ingest-" + one.feed(),
        "ingest-" + other.feed());
  }
}
