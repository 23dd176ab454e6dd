package io.failureledger.embedded.demo;

import io.failureledger.embedded.demo.DemoEvent.Published;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The generator's own list of what the brokers took, each event id once. */
final class PublishedEvents {
  private final Map<String, Published> all = new ConcurrentHashMap<>();
  private final Map<String, Integer> ofFeed = new ConcurrentHashMap<>();

  /** The broker took the event; the same one again counts as published twice. */
  void add(DemoEvent event) {
    String id = event.feed() + " " + event.eventId();
    Published before = all.get(id);
    all.put(id, event.published(before == null ? 1 : before.times() + 1));
    if (before == null) {
      ofFeed.merge(event.feed(), 1, Integer::sum);
    }
  }

  Collection<Published> all() {
    return all.values();
  }

  int size() {
    return all.size();
  }

  /** How many were published more than once. */
  long twice() {
    return all.values().stream().filter(event -> event.times() > 1).count();
  }

  int size(String feed) {
    return ofFeed.getOrDefault(feed, 0);
  }
}
