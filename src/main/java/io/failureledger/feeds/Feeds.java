package io.failureledger.feeds;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The configured feeds. A feed name that comes from outside (a row, a record, the command line) is
 * looked up here and nowhere turned into an address.
 */
public final class Feeds {
  private final Map<String, Feed> byName = new LinkedHashMap<>();
  private final Map<String, Feed> byRoute = new LinkedHashMap<>();

  /**
   * Adds a feed, while the bundle starts.
   *
   * @throws IllegalStateException when two route files use one name
   */
  public void add(Feed feed) {
    if (byName.putIfAbsent(feed.name(), feed) != null) {
      throw new IllegalStateException("two route files define the feed " + feed.name());
    }
    byRoute.put(feed.ingestRoute(), feed);
    byRoute.put(feed.drainRoute(), feed);
    byRoute.put(feed.collectRoute(), feed);
  }

  public Collection<Feed> all() {
    return byName.values();
  }

  /** The names of all feeds, as statements take them. */
  public String[] names() {
    return byName.keySet().toArray(String[]::new);
  }

  /**
   * The feed of this name.
   *
   * @throws IllegalArgumentException naming the configured feeds
   */
  public Feed get(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no feed is called '" + name + "'; configured are " + byName.keySet()));
  }

  /** The feed of this name; empty when none is configured. */
  public Optional<Feed> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The feed that an ingest, drain or collect route belongs to. */
  public Feed ofRoute(String routeId) {
    Feed feed = byRoute.get(routeId);
    if (feed == null) {
      throw new IllegalStateException("the route " + routeId + " belongs to no feed");
    }
    return feed;
  }
}
