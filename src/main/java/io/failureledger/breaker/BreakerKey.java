package io.failureledger.breaker;

import io.failureledger.event.TargetName;
import io.failureledger.feeds.Feed;

/**
 * What one breaker is for. Pure.
 *
 * @param target as the feed or its handler names it; {@value #WHOLE_FEED} for failures before a
 *     handler named one of many; {@value #FULL} for the feed's unresolved rows
 */
public record BreakerKey(String feed, String target) {
  static final String WHOLE_FEED = "";
  static final String FULL = "*";

  /**
   * The key of what a handler was writing to.
   *
   * @param named by the handler; null when it named none
   */
  static BreakerKey of(Feed feed, String named) {
    if (feed.target() != null) {
      return new BreakerKey(feed.name(), TargetName.of(feed.target()));
    }
    return named == null || named.equals(FULL)
        ? whole(feed)
        : new BreakerKey(feed.name(), TargetName.of(named));
  }

  /** The key of a feed of many targets as a whole. */
  static BreakerKey whole(Feed feed) {
    return new BreakerKey(feed.name(), WHOLE_FEED);
  }

  /** The key of the feed's unresolved rows. */
  static BreakerKey full(Feed feed) {
    return new BreakerKey(feed.name(), FULL);
  }

  /** The one whose being open stops the ingest route: of the only target, or of the whole feed. */
  static BreakerKey ofIngest(Feed feed) {
    return of(feed, null);
  }

  /** In words, for a person. */
  String words() {
    return switch (target) {
      case WHOLE_FEED -> "the feed " + feed;
      case FULL -> "the feed " + feed + " (unresolved rows)";
      default -> "target " + target + " of the feed " + feed;
    };
  }
}
