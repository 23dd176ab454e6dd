package io.failureledger.scenario;

import io.failureledger.embedded.FreePort;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.camel.main.Main;

/** The instances of a campaign: one in this process, the others in their own, to be killed. */
final class CampaignFleet implements AutoCloseable {
  /** How the names of the instances in this process begin. */
  static final String HERE = "here";

  private record Forked(String name, ForkedBundle bundle) {}

  private final Site site;
  private final CampaignJournal journal;
  private final List<String> arguments;
  private final List<Forked> forked = new ArrayList<>();
  private final List<Forked> gone = new ArrayList<>();
  private final Map<String, Instant> frozen = new HashMap<>();
  private int count;
  private Main here;

  /**
   * @param arguments of the forked bundles' JVMs
   */
  CampaignFleet(Site site, CampaignJournal journal, List<String> arguments) {
    this.site = site;
    this.journal = journal;
    this.arguments = arguments;
  }

  synchronized void startHere() {
    here = site.start(Map.of("instance.name", HERE + "-" + ++count));
  }

  synchronized void fork() {
    String name = "fork-" + ++count;
    String port = Integer.toString(FreePort.find());
    Map<String, String> own = Map.of("instance.name", name, "management.port", port);
    List<String> java = new ArrayList<>(arguments);
    java.add("-Dcampaign.process=" + name);
    forked.add(
        new Forked(
            name,
            new ForkedBundle(
                site,
                new ForkedBundle.Launch(own, Map.of(), java),
                "0",
                "campaign",
                "acknowledge")));
    journal.say("starts " + name);
  }

  synchronized void killOne(int pick) {
    Forked one = take(pick);
    if (one != null) {
      Instant frozenSince = frozen.remove(one.name());
      Instant since = frozenSince == null ? Instant.now() : frozenSince;
      one.bundle().kill();
      journal.trouble(one.name(), "killed", since, Instant.now());
      journal.say("killed " + one.name());
    }
  }

  /** Says which one, for {@link #thaw}; null when none is there. */
  synchronized String freezeOne(int pick) {
    Forked one = forked.isEmpty() ? null : forked.get(pick % forked.size());
    if (one == null || frozen.containsKey(one.name())) {
      return null;
    }
    frozen.put(one.name(), Instant.now());
    one.bundle().freeze();
    journal.say("froze " + one.name());
    return one.name();
  }

  synchronized void thaw(String name) {
    forked.stream().filter(one -> one.name().equals(name)).forEach(this::thaw);
  }

  private void thaw(Forked one) {
    Instant since = frozen.remove(one.name());
    if (since != null) {
      one.bundle().thaw();
      journal.trouble(one.name(), "frozen", since, Instant.now());
      journal.say("thawed " + one.name());
    }
  }

  /** SIGTERM, as a deployment does; an instance that does not end is an error. */
  void leaveOne(int pick) {
    Forked one;
    synchronized (this) {
      one = take(pick);
      if (one != null) {
        journal.say("asks to leave " + one.name());
        thaw(one);
      }
    }
    if (one != null) {
      one.bundle().terminate(Duration.ofSeconds(120));
      journal.say("left " + one.name());
    }
  }

  /** In good order; not while that is under way already. */
  void restartHere() {
    Main stopped;
    synchronized (this) {
      stopped = here;
      here = null;
    }
    if (stopped != null) {
      site.stop(stopped);
      startHere();
      journal.say("restarted here");
    }
  }

  private Forked take(int pick) {
    if (forked.isEmpty()) {
      return null;
    }
    Forked one = forked.remove(pick % forked.size());
    gone.add(one);
    return one;
  }

  /** That each lives and says that all is well. */
  synchronized boolean allAreUp() {
    return isUp(site::health) && forked.stream().allMatch(one -> isUp(one.bundle()::health));
  }

  private static boolean isUp(Supplier<String> health) {
    try {
      return !health.get().contains("DOWN");
    } catch (UncheckedIOException e) {
      return false; // one that is just starting does not answer yet
    }
  }

  /** What all forked ones wrote. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<Forked> some : List.of(gone, forked)) {
      some.forEach(
          one -> one.bundle().lines().forEach(line -> lines.add(one.name() + ": " + line)));
    }
    return lines;
  }

  @Override
  public synchronized void close() {
    forked.forEach(one -> one.bundle().close());
  }
}
