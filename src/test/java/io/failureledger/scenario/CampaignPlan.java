package io.failureledger.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is done to a campaign's bundles, and when, as its seed says. Pure.
 *
 * @param faults in the order of their times
 */
record CampaignPlan(List<Fault> faults) {
  /** What can be done, and how often it is against the others. */
  enum Kind {
    KILL(3, 0, 3_000),
    FREEZE(3, 500, 9_000),
    LEAVE(2, 0, 2_000),
    RESTART_HERE(2, 0, 1_000),
    TERMINATE(5, 0, 0),
    OUTAGE(3, 300, 4_500),
    TARGET_AWAY(4, 500, 4_000),
    SHOP_AWAY(6, 500, 6_000),
    BUG(2, 300, 2_500),
    PAUSE(3, 300, 3_000),
    ALL_DUE(5, 0, 0),
    DISCARD(4, 0, 0),
    REOPEN(6, 0, 0),
    REOPEN_DISCARDED(2, 0, 0),
    RETRY(2, 0, 0);

    private final int weight;
    private final int leastMillis;
    private final int mostMillis;

    Kind(int weight, int leastMillis, int mostMillis) {
      this.weight = weight;
      this.leastMillis = leastMillis;
      this.mostMillis = mostMillis;
    }
  }

  /**
   * One of them.
   *
   * @param at after the campaign's start
   * @param length until it is over, or made up for
   * @param pick which of several it befalls, not negative
   */
  record Fault(Kind kind, Duration at, Duration length, int pick) {}

  static CampaignPlan of(long seed, Duration time) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Fault> faults = new ArrayList<>();
    long at = 0;
    while ((at += random.nextInt(100, 1_300)) < time.toMillis()) {
      Kind kind = kind(random);
      int length = kind.mostMillis == 0 ? 0 : random.nextInt(kind.leastMillis, kind.mostMillis + 1);
      faults.add(
          new Fault(
              kind,
              Duration.ofMillis(at),
              Duration.ofMillis(length),
              random.nextInt(Integer.MAX_VALUE)));
    }
    return new CampaignPlan(faults);
  }

  private static Kind kind(SplittableRandom random) {
    int sum = 0;
    for (Kind kind : Kind.values()) {
      sum += kind.weight;
    }
    int left = random.nextInt(sum);
    for (Kind kind : Kind.values()) {
      left -= kind.weight;
      if (left < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("the weights do not add up");
  }
}
