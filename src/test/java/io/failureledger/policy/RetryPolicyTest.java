package io.failureledger.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final RetryPolicy LEDGER =
      new RetryPolicy(
          "ledger", Duration.ZERO, Duration.ofMinutes(1), 2, Duration.ofMinutes(60), 5, false);
  private static final RetryPolicy PERSIST =
      new RetryPolicy(
          "persist",
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          2,
          Duration.ofMinutes(30),
          10,
          false);

  private static List<Long> seconds(RetryPolicy policy, int replays) {
    return IntStream.rangeClosed(1, replays)
        .mapToObj(n -> policy.delayAfter(n).toSeconds())
        .toList();
  }

  @Test
  void theLedgerPolicyWaits2And4And8And16MinutesAndThenGivesUp() {
    assertThat(seconds(LEDGER, 4)).containsExactly(120L, 240L, 480L, 960L);
    assertThat(LEDGER.exhaustedAfter(4)).isFalse();
    assertThat(LEDGER.exhaustedAfter(5)).isTrue();
  }

  @Test
  void higherLimitsGoOnWith32And60And60() {
    assertThat(seconds(LEDGER, 8).subList(4, 8)).containsExactly(1920L, 3600L, 3600L, 3600L);
  }

  @Test
  void thePersistPolicyGivesUpAfterTwoHoursAndAHalf() {
    assertThat(seconds(PERSIST, 9))
        .containsExactly(60L, 120L, 240L, 480L, 960L, 1800L, 1800L, 1800L, 1800L);
    long all = 30 + seconds(PERSIST, 9).stream().mapToLong(Long::longValue).sum();
    assertThat(Duration.ofSeconds(all)).isEqualTo(Duration.ofMinutes(151).plusSeconds(30));
    assertThat(PERSIST.exhaustedAfter(10)).isTrue();
  }

  @Test
  void aDelayNeverPassesItsCapHoweverManyReplaysFailed() {
    assertThat(LEDGER.delayAfter(100_000)).isEqualTo(Duration.ofMinutes(60));
  }

  @Test
  void fullJitterDrawsFromZeroToTheWholeDelay() {
    RetryPolicy jitter =
        new RetryPolicy("j", Duration.ZERO, Duration.ofMinutes(1), 2, Duration.ofHours(1), 5, true);
    assertThat(jitter.delayAfter(1, () -> 0.0)).isZero();
    assertThat(jitter.delayAfter(1, () -> 0.5)).isEqualTo(Duration.ofMinutes(1));
    assertThat(jitter.delayAfter(1, () -> 1.0)).isEqualTo(Duration.ofMinutes(2));
  }
}
