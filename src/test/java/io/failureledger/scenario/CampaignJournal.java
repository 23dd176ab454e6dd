package io.failureledger.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What was done in a campaign, and when. */
final class CampaignJournal {
  /** Befalls all instances. */
  static final String ALL = "*";

  /**
   * A trouble that may keep outcomes from being recorded.
   *
   * @param instance of which, or how the names of several begin
   */
  record Trouble(String instance, String what, Instant from, Instant to) {
    boolean touches(String name, Instant begin, Instant end) {
      return (instance.equals(ALL) || name.startsWith(instance))
          && !from.isAfter(end)
          && !to.isBefore(begin);
    }
  }

  private static final int MOST_SHOWN = 160;

  private final Instant start = Instant.now();
  private final List<Trouble> troubles = new CopyOnWriteArrayList<>();
  private String lastLeft = "";
  private final List<String> lines = new CopyOnWriteArrayList<>();

  void trouble(String instance, String what, Instant from, Instant to) {
    troubles.add(new Trouble(instance, what, from, to));
  }

  boolean excuses(String instance, Instant from, Instant to) {
    return troubles.stream().anyMatch(trouble -> trouble.touches(instance, from, to));
  }

  /** Whether any instance had a trouble then. */
  boolean excusesAny(Instant from, Instant to) {
    return troubles.stream()
        .anyMatch(trouble -> !trouble.from().isAfter(to) && !trouble.to().isBefore(from));
  }

  void say(String what) {
    lines.add(time(Instant.now()) + " " + what);
  }

  /** What is still to come, said when it is of another kind than before. */
  synchronized void left(List<String> left) {
    String first = left.isEmpty() ? "" : left.get(0);
    String kind = first.replaceAll("\\d+", "n").replaceAll(":.*", "");
    if (!kind.equals(lastLeft)) {
      lastLeft = kind;
      say("left: " + left.size() + " " + first.substring(0, Math.min(first.length(), MOST_SHOWN)));
    }
  }

  /** Seconds since the start. */
  String time(Instant when) {
    return "%8.3f".formatted(Duration.between(start, when).toMillis() / 1000.0);
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
