package io.failureledger.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.HeaderRules;
import io.failureledger.event.Selectors;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.MemoryBroker;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.policy.ErrorClasses;
import io.failureledger.policy.RetryPolicy;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of an event that failed as the probe of a breaker. */
class OutcomeTest {
  private static final Throwable AWAY = new ConnectException("refused");
  private static final Throwable FAILS = new IllegalStateException("a bug");
  private static final Throwable BROKEN = new NumberFormatException("twelve");
  private static final Throwable SLOW =
      HandlerTimeoutException.interrupted("handle-own", Duration.ZERO);
  private static final Throwable HANGS =
      HandlerTimeoutException.givenUp("handle-own", Duration.ZERO);
  private static final Throwable LOST = new LeaseLostException(3);

  private static Outcome probe(Throwable thrown, boolean early, int retries, boolean pauseCounts) {
    Claim claim = ReplayWindowTest.claim(1, retries, early);
    return Outcome.failed(claim, feed(pauseCounts), thrown, null, Duration.ZERO, true);
  }

  private static Feed feed(boolean pauseCounts) {
    RetryPolicy policy =
        new RetryPolicy(
            "own",
            Duration.ZERO,
            Duration.ofSeconds(30),
            2,
            Duration.ofMinutes(30),
            3,
            false,
            ErrorClasses.of(
                "*.NumberFormatException", "java.net.*", thrown -> null, thrown -> false),
            pauseCounts,
            20);
    return new Feed(
        "own",
        new MemoryBroker(),
        null,
        "topic",
        policy,
        new Selectors(List.of(), "", "", "", "", ""),
        new HeaderRules("*"),
        null,
        null,
        false,
        null);
  }

  @Test
  void wherePausingFailuresCountOneBeforeItsTimeLeavesTheEventToItsSchedule() {
    assertThat(probe(AWAY, true, 2, true).kind()).isEqualTo(Outcome.Kind.RELEASE);
  }

  @Test
  void wherePausingFailuresCountOneThatWasDueIsAnAttemptLikeAnyOther() {
    assertThat(probe(AWAY, false, 1, true))
        .returns(Outcome.Kind.RESCHEDULE, Outcome::kind)
        .returns(Duration.ofSeconds(120), Outcome::delay)
        .returns(null, Outcome::reason);
    assertThat(probe(AWAY, false, 2, true))
        .returns(Outcome.Kind.FAIL, Outcome::kind)
        .returns("exhausted", Outcome::reason);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void wherePausingFailuresDoNotCountTheEventWaitsForItsTargetUncounted(boolean early) {
    assertThat(probe(AWAY, early, 2, false))
        .returns(Outcome.Kind.POSTPONE, Outcome::kind)
        .returns(Duration.ofSeconds(240), Outcome::delay)
        .returns("held", Outcome::reason);
  }

  @ParameterizedTest
  @CsvSource({"true, RELEASE", "false, FAIL"})
  void aFailureThatIsRetriedCountsOnlyWhenItsTimeHadCome(boolean early, Outcome.Kind kind) {
    assertThat(probe(FAILS, early, 2, false).kind()).isEqualTo(kind);
    assertThat(probe(FAILS, early, 2, true).kind()).isEqualTo(kind);
    assertThat(probe(SLOW, early, 2, false).kind()).isEqualTo(kind);
  }

  @Test
  void aHandlerThatDoesNotEndCountsWheneverItComes() {
    for (boolean pauseCounts : new boolean[] {true, false}) {
      assertThat(probe(HANGS, true, 0, pauseCounts))
          .returns(Outcome.Kind.RESCHEDULE, Outcome::kind)
          .returns(Duration.ofSeconds(60), Outcome::delay);
      assertThat(probe(HANGS, true, 2, pauseCounts))
          .returns(Outcome.Kind.FAIL, Outcome::kind)
          .returns("exhausted", Outcome::reason);
    }
  }

  @Test
  void whatNoRepeatCuresFailsAtOnceAndALostLeaseCountsWheneverItComes() {
    assertThat(probe(BROKEN, true, 0, true)).returns("terminal", Outcome::reason);
    assertThat(probe(LOST, true, 0, true).kind()).isEqualTo(Outcome.Kind.RESCHEDULE);
    assertThat(probe(LOST, true, 2, true)).returns("lease-lost", Outcome::reason);
  }
}
