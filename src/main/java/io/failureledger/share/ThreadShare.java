package io.failureledger.share;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Who uses the threads that one feed has at ingest, or at replay, in this instance. Names are those
 * of targets, or of what stands for them. One that is quick gives each thread back soon, so it may
 * have them all. One that is slow has its share while others are there. Thread-safe; kept in memory
 * only, so a new process begins with no name known.
 */
public final class ThreadShare {
  /** This part of what makes a name slow is quick beyond doubt. */
  private static final int QUICK = 10;

  /** So long another name is said to be there after its latest run. */
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** So long a name is known after its latest run. */
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What one more run of a name would be. */
  public enum Standing {
    /** In its share, or over it without harm. */
    FREE,
    /** Over its share, and a run of it lasts longer than those of a quick one mostly do. */
    LATE,
    /** Over its share, and it is not known yet how long its runs take. */
    NEW,
    /** Over its share, and slow. */
    BUSY
  }

  /** A run in progress. */
  public final class Run {
    private final String name;
    private final long sinceNanos = nanos.getAsLong();

    private Run(String name) {
      this.name = name;
    }

    /**
     * It is over. A repeat changes nothing.
     *
     * @param tells whether it says how quick the name is: not when the target was not asked
     * @return how long it took
     */
    public Duration end(boolean tells) {
      return Duration.ofNanos(ended(this, tells));
    }
  }

  /** What is known of a name. */
  private static final class Use {
    private final Set<Run> runs = new LinkedHashSet<>();
    private long usedNanos;
    private long tookNanos;
    private boolean isKnown;
  }

  private final int places;
  private final long slowNanos;
  private final LongSupplier nanos;
  private final Map<String, Use> uses = new HashMap<>();
  private int running;
  private String latest;
  private long latestNanos;
  private boolean hadAnother;
  private long anotherNanos;
  private long sweptNanos;

  /**
   * @param threads of the feed, here
   * @param share the part of them that a slow name may use while others are there, over 0 to 1; it
   *     is one thread at least
   * @param slow a run that takes longer makes its name slow
   */
  public ThreadShare(int threads, double share, Duration slow) {
    this(threads, share, slow, System::nanoTime);
  }

  ThreadShare(int threads, double share, Duration slow, LongSupplier nanos) {
    this.places = Math.max(1, (int) (threads * share));
    this.slowNanos = slow.toNanos();
    this.nanos = nanos;
    this.sweptNanos = nanos.getAsLong();
  }

  /** Threads that a slow name may use while others are there. */
  int places() {
    return places;
  }

  /** What one more run of this name would be. */
  public synchronized Standing standing(String name) {
    Use use = uses.get(name);
    if (use == null || use.runs.size() < places || !othersAreThere(name, use)) {
      return Standing.FREE;
    } else if (isSlow(use)) {
      return Standing.BUSY;
    }
    if (!use.isKnown) {
      return Standing.NEW;
    }
    return oldestNanos(use) > slowNanos / QUICK ? Standing.LATE : Standing.FREE;
  }

  /** Whether this name is not known to be quick, and others are there. */
  public synchronized boolean isBound(String name) {
    Use use = uses.get(name);
    return othersAreThere(name, use) && (use == null || !use.isKnown || isSlow(use));
  }

  /** Begins a run, whatever its standing. */
  public synchronized Run begin(String name) {
    long now = nanos.getAsLong();
    sweep(now);
    Use use = uses.computeIfAbsent(name, added -> new Use());
    use(name, use, now);
    Run run = new Run(name);
    use.runs.add(run);
    running++;
    return run;
  }

  /** Begins a run if its standing is this one or better; else null. */
  synchronized Run begin(String name, Standing worst) {
    return standing(name).compareTo(worst) <= 0 ? begin(name) : null;
  }

  /** How long the oldest run of this name has lasted; zero without one. */
  synchronized Duration oldest(String name) {
    Use use = uses.get(name);
    return Duration.ofNanos(use == null ? 0 : oldestNanos(use));
  }

  private synchronized long ended(Run run, boolean tells) {
    long now = nanos.getAsLong();
    long took = now - run.sinceNanos;
    Use use = uses.get(run.name);
    if (use != null && use.runs.remove(run)) {
      running--;
      use(run.name, use, now);
      if (tells) {
        use.tookNanos = took;
        use.isKnown = true;
      }
    }
    return took;
  }

  private void use(String name, Use use, long now) {
    use.usedNanos = now;
    if (!name.equals(latest)) {
      hadAnother = latest != null;
      anotherNanos = latestNanos;
      latest = name;
    }
    latestNanos = now;
  }

  private boolean othersAreThere(String name, Use use) {
    long now = nanos.getAsLong();
    if (running > (use == null ? 0 : use.runs.size())) {
      return true;
    }
    return name.equals(latest)
        ? hadAnother && now - anotherNanos < LATELY_NANOS
        : latest != null && now - latestNanos < LATELY_NANOS;
  }

  private boolean isSlow(Use use) {
    return use.isKnown && use.tookNanos > slowNanos || oldestNanos(use) > slowNanos;
  }

  private long oldestNanos(Use use) {
    return use.runs.isEmpty() ? 0 : nanos.getAsLong() - use.runs.iterator().next().sinceNanos;
  }

  /**
   * Forgets names that nothing was heard of for long, so that many that come and go cost nothing.
   */
  private void sweep(long now) {
    if (now - sweptNanos > KNOWN_NANOS) {
      sweptNanos = now;
      uses.values().removeIf(use -> use.runs.isEmpty() && now - use.usedNanos > KNOWN_NANOS);
    }
  }
}
