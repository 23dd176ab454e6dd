package io.failureledger.order;

import io.failureledger.schedule.DaemonThread;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims a feed's due events as soon as one became due because the event before it was resolved, so
 * that a subject's events do not wait a period each. A thread for each such feed: a claim waits for
 * room, and one feed's must not hold up another's. What is asked for and not done when the process
 * dies is claimed in the next period, by any instance.
 */
final class PromptClaims implements Consumer<String>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PromptClaims.class);

  private record OfFeed(ExecutorService thread, AtomicBoolean asked) {}

  private final ToIntFunction<String> claim;
  private final Map<String, OfFeed> feeds = new ConcurrentHashMap<>();
  private volatile boolean ending;

  /**
   * @param claim claims due events of a feed and says how many
   */
  PromptClaims(ToIntFunction<String> claim) {
    this.claim = claim;
  }

  /** Asks for a claim; one that is asked for and has not begun does for both. */
  @Override
  public void accept(String name) {
    OfFeed feed = feeds.computeIfAbsent(name, PromptClaims::start);
    if (feed.asked().compareAndSet(false, true)) {
      try {
        feed.thread().execute(() -> claim(name, feed));
      } catch (RejectedExecutionException closed) {
        LOG.debug("{} is claimed no more", name);
      }
    }
  }

  private static OfFeed start(String name) {
    return new OfFeed(DaemonThread.named("claim-soon-" + name), new AtomicBoolean());
  }

  private void claim(String name, OfFeed feed) {
    feed.asked().set(false);
    try {
      while (!ending && claim.applyAsInt(name) > 0) {
        LOG.debug("{} has more that is due", name);
      }
    } catch (RuntimeException e) {
      LOG.debug("{} is claimed in the next period instead", name, e);
    }
  }

  /** From now on claims nothing. */
  void end() {
    ending = true;
  }

  @Override
  public void close() {
    end();
    feeds.values().forEach(feed -> feed.thread().shutdownNow());
  }
}
