package io.failureledger.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delays, and what becomes of an event after each failed replay. */
class RetryPolicyTest {
  private static final Throwable FAILS = new IllegalStateException("fails");
  private static final Throwable AWAY = new ConnectException("refused");
  private static final Throwable BROKEN = new NumberFormatException("twelve");

  private static RetryPolicy policy(int attempts, boolean jitter, boolean pauseCounts) {
    return new RetryPolicy(
        "own",
        Duration.ZERO,
        Duration.ofSeconds(30),
        2,
        Duration.ofMinutes(30),
        attempts,
        jitter,
        ErrorClasses.of("*.NumberFormatException", "java.net.*", thrown -> null, thrown -> false),
        pauseCounts,
        20);
  }

  @Test
  void eachDelayIsTheFactorLongerUpToTheCap() {
    RetryPolicy policy = policy(1000, false, true);
    assertThat(IntStream.range(0, 9).mapToLong(n -> policy.after(FAILS, n).delay().toSeconds()))
        .containsExactly(60L, 120L, 240L, 480L, 960L, 1800L, 1800L, 1800L, 1800L);
    assertThat(policy.after(FAILS, 998).delay()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void fullJitterDrawsFromZeroToTheWholeDelay() {
    RetryPolicy policy = policy(5, true, true);
    assertThat(policy.delayAfter(1, () -> 0)).isEqualTo(Duration.ZERO);
    assertThat(policy.delayAfter(1, () -> 0.5)).isEqualTo(Duration.ofSeconds(30));
    assertThat(policy.after(FAILS, 0).delay()).isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void aFailureThatIsRetriedIsExhaustedAtTheLastAttempt() {
    RetryPolicy policy = policy(3, false, false);
    assertThat(policy.after(FAILS, 1))
        .isEqualTo(
            new Decision(
                Decision.Kind.RESCHEDULE, ErrorClass.RETRY, Duration.ofSeconds(120), null));
    assertThat(policy.after(FAILS, 2))
        .isEqualTo(new Decision(Decision.Kind.FAIL, ErrorClass.RETRY, Duration.ZERO, "exhausted"));
  }

  @Test
  void aTerminalFailureEndsItAtOnceWhateverWasTriedBefore() {
    for (int before = 0; before < 5; before++) {
      assertThat(policy(3, false, true).after(BROKEN, before))
          .isEqualTo(
              new Decision(Decision.Kind.FAIL, ErrorClass.TERMINAL, Duration.ZERO, "terminal"));
    }
  }

  @Test
  void aPausingFailureThatDoesNotCountIsNeverExhausted() {
    assertThat(policy(3, false, false).after(AWAY, 2))
        .isEqualTo(
            new Decision(Decision.Kind.POSTPONE, ErrorClass.PAUSE, Duration.ofSeconds(240), null));
  }

  @Test
  void aPausingFailureThatCountsIsAnAttemptLikeAnyOther() {
    RetryPolicy policy = policy(3, false, true);
    assertThat(policy.after(AWAY, 0))
        .isEqualTo(
            new Decision(Decision.Kind.RESCHEDULE, ErrorClass.PAUSE, Duration.ofSeconds(60), null));
    assertThat(policy.after(AWAY, 2))
        .isEqualTo(new Decision(Decision.Kind.FAIL, ErrorClass.PAUSE, Duration.ZERO, "exhausted"));
  }
}
