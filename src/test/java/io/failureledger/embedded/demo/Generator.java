package io.failureledger.embedded.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Publishes one feed's traffic at a rate, in small batches. Some events are published twice, and
 * the older one of a pair after the newer one. It waits while the bundle is far behind.
 */
final class Generator {
  private static final long TICK_MILLIS = 50;
  private static final int LARGEST_BATCH = 50;
  private static final int LATEST_TICKS = 40;

  private record Later(long tick, DemoEvent event) {}

  private final Traffic traffic;
  private final Outlet outlet;
  private final PublishedEvents published;
  private final Journal journal;
  private final int rate;
  private final int farthestBehind;
  private final Random random;
  private final CompletableFuture<Void> broken;
  private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparing(Later::tick));
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private long tick;
  private long startNanos;
  private long made;

  Generator(
      Traffic traffic,
      Outlet outlet,
      PublishedEvents published,
      Journal journal,
      DemoOptions options,
      long seed,
      CompletableFuture<Void> broken) {
    this.traffic = traffic;
    this.outlet = outlet;
    this.published = published;
    this.journal = journal;
    this.rate = options.rate();
    this.farthestBehind = options.farthestBehind();
    this.random = new Random(seed);
    this.broken = broken;
  }

  void start() {
    startNanos = System.nanoTime();
    clock.scheduleWithFixedDelay(this::publishDue, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void publishDue() {
    try {
      tick++;
      if (published.size(traffic.feed()) - journal.seen(traffic.feed()) > farthestBehind) {
        return;
      }
      List<DemoEvent> batch = new ArrayList<>();
      for (long due = due(); due > 0; due--) {
        List<DemoEvent> next = traffic.next();
        made++;
        batch.add(next.get(0));
        next.subList(1, next.size()).forEach(this::publishLater);
        if (random.nextInt(100) < 2) {
          publishLater(next.get(0));
        }
      }
      while (!later.isEmpty() && later.peek().tick() <= tick) {
        batch.add(later.poll().event());
      }
      publish(batch);
    } catch (RuntimeException e) {
      broken.completeExceptionally(e);
      throw e;
    }
  }

  /** What the rate asks for until now, caught up in batches that stay small. */
  private long due() {
    long wanted = (System.nanoTime() - startNanos) * rate / TimeUnit.SECONDS.toNanos(1);
    return Math.min(wanted - made, LARGEST_BATCH);
  }

  private void publishLater(DemoEvent event) {
    later.add(new Later(tick + 1 + random.nextInt(LATEST_TICKS), event));
  }

  private void publish(List<DemoEvent> batch) {
    if (!batch.isEmpty()) {
      outlet.publish(batch);
      batch.forEach(published::add);
    }
  }

  /** Publishes what was to come later, then nothing more. */
  void stop() throws InterruptedException {
    clock.shutdown();
    if (!clock.awaitTermination(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the generator of " + traffic.feed() + " does not end");
    }
    publish(later.stream().map(Later::event).toList());
    later.clear();
  }

  /** Publishes nothing more. */
  void abort() {
    clock.shutdownNow();
  }
}
