package io.failureledger.order;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.OrderedEvents;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The feeds that keep their subjects' order, each with the subjects it has blocked. */
public final class OrderedFeeds {
  private final Feeds feeds;
  private final OrderedEvents events;
  private final Map<String, BlockedSubjects> blocked = new ConcurrentHashMap<>();

  public OrderedFeeds(Feeds feeds, OrderedEvents events) {
    this.feeds = feeds;
    this.events = events;
  }

  BlockedSubjects of(Feed feed) {
    return blocked.computeIfAbsent(feed.name(), name -> new BlockedSubjects());
  }

  /**
   * Asks the ledger which subjects of the feed are blocked: those are, and no others but what
   * became so meanwhile.
   *
   * @throws SQLException when it cannot say; nothing is known anew then
   */
  void load(Feed feed) throws SQLException {
    BlockedSubjects subjects = of(feed);
    BlockedSubjects.Refresh refresh = subjects.begin();
    subjects.end(refresh, events.findBlocked(feed.name()));
  }

  /**
   * Lets an event through unless its feed keeps its subjects' order and an earlier event of its
   * subject is unresolved. Costs nothing for other feeds, and a look into an empty set for an
   * ordered feed without unresolved events.
   *
   * <p>When partitions came to this instance the blocked subjects are loaded here, on the
   * consumer's thread, before the first of their records is let through. While the ledger cannot
   * say them the event is returned: nobody knows whether it may go first.
   *
   * @throws SubjectBlockedException when it has to wait; it is to be parked
   * @throws EventReturnedException when the ledger cannot say
   */
  public void admit(Feed feed, Envelope event) {
    if (!feed.ordered()) {
      return;
    }
    BlockedSubjects subjects = of(feed);
    while (subjects.mustLoad()) {
      try {
        load(feed);
      } catch (SQLException | RuntimeException e) {
        throw new EventReturnedException(
            "the blocked subjects of " + feed.name() + " cannot be loaded", e);
      }
    }
    if (subjects.isEmpty()) {
      return;
    }
    String subject = OrderedSubject.of(event.key());
    if (subject != null && subjects.isBlocked(subject)) {
      throw new SubjectBlockedException(subject);
    }
  }

  Feed get(String name) {
    return feeds.get(name);
  }

  List<Feed> ordered() {
    return feeds.all().stream().filter(Feed::ordered).toList();
  }

  List<Feed> unordered() {
    return feeds.all().stream().filter(feed -> !feed.ordered()).toList();
  }

  /**
   * Partitions of these topics came to a consumer of this instance. Called on the consumer's
   * thread, before it gets a record of them.
   */
  public void assigned(Set<String> topics) {
    for (Feed feed : ordered()) {
      if (topics.contains(feed.source())) {
        of(feed).assigned();
      }
    }
  }

  /**
   * Makes {@code failure_ledger_ordered_behind{feed="..."}} visible for each ordered feed: events
   * that wait behind others of their subjects, NaN until the ledger was asked.
   */
  public void register(MeterRegistry metrics) {
    for (Feed feed : ordered()) {
      Gauge.builder("failure_ledger_ordered_behind", of(feed), BlockedSubjects::behind)
          .tag("feed", feed.name())
          .description("events that wait behind an earlier one of their subject")
          .register(metrics);
    }
  }
}
