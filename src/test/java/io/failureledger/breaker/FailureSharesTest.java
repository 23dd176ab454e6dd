package io.failureledger.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the failures among the events of the last minute are too many. */
class FailureSharesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final FailureShares.Share share =
      new FailureShares.Share(0.5, 10, Duration.ofSeconds(60));

  private void count(long second, int events, int failures) {
    for (int i = 0; i < events; i++) {
      share.count(second * SECOND, i < failures);
    }
  }

  @Test
  void halfOfTheEventsIsTooLargeAndLessIsNot() {
    count(0, 11, 5);
    assertThat(share.isTooLarge(0)).isFalse();
    count(0, 1, 1);
    assertThat(share.isTooLarge(0)).isTrue();
  }

  @Test
  void fewEventsSayNothingHoweverManyOfThemFail() {
    count(0, 9, 9);
    assertThat(share.isTooLarge(0)).isFalse();
    count(30, 1, 1);
    assertThat(share.isTooLarge(30 * SECOND)).isTrue();
  }

  @Test
  void whatIsOlderThanTheWindowIsForgotten() {
    count(0, 20, 20);
    assertThat(share.isTooLarge(53 * SECOND)).isTrue();
    assertThat(share.isOver(53 * SECOND)).isFalse();
    assertThat(share.isTooLarge(61 * SECOND)).isFalse();
    assertThat(share.isOver(61 * SECOND)).isTrue();
    count(61, 20, 2);
    assertThat(share.isTooLarge(61 * SECOND)).isFalse();
  }

  @Test
  void aClockThatBeganBelowZeroIsAClock() {
    long start = -3 * SECOND;
    for (int i = 0; i < 10; i++) {
      share.count(start + i * SECOND, true);
    }
    assertThat(share.isTooLarge(start + 10 * SECOND)).isTrue();
    assertThat(share.isTooLarge(start + 80 * SECOND)).isFalse();
  }

  @Test
  void manyThreadsAreCountedWithoutALock() {
    FailureShares.Share many = new FailureShares.Share(0.5, 40_000, Duration.ofSeconds(60));
    CompletableFuture.allOf(
            IntStream.range(0, 4)
                .mapToObj(
                    thread ->
                        CompletableFuture.runAsync(
                            () -> {
                              for (int i = 0; i < 10_001; i++) {
                                many.count(SECOND, true);
                              }
                            }))
                .toArray(CompletableFuture[]::new))
        .join();
    assertThat(many.isTooLarge(SECOND)).isTrue();
  }
}
