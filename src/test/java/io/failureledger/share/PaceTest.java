package io.failureledger.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private final Pace pace = new Pace(LIMIT);

  private long seconds(long now, int events, int together) {
    return pace.delay(Duration.ofSeconds(now).toNanos(), Duration.ZERO, events, 1, together)
        .toSeconds();
  }

  @Test
  void eventsComeBackOneRunAfterTheOther() {
    pace.took(Duration.ofSeconds(5));
    assertThat(List.of(seconds(0, 1, 1), seconds(0, 1, 1), seconds(0, 1, 1)))
        .containsExactly(5L, 10L, 15L);
    assertThat(seconds(20, 1, 1)).as("all of them had their time").isEqualTo(5);
  }

  @Test
  void asManyAsOneRunTakesComeBackTogether() {
    pace.took(Duration.ofSeconds(5));
    assertThat(seconds(0, 150, 200)).isEqualTo(5);
    assertThat(seconds(0, 50, 200)).isEqualTo(5);
    assertThat(seconds(0, 1, 200)).isEqualTo(10);
    assertThat(seconds(0, 500, 200)).as("more than one run takes").isEqualTo(15);
  }

  @Test
  void noneWaitsLongerThanTheLimitAndNoTimeIsLeftOut() {
    pace.took(Duration.ofSeconds(5));
    List<Long> delays = new ArrayList<>();
    for (int event = 0; event < 24; event++) {
      delays.add(seconds(0, 1, 1));
    }
    assertThat(delays).allMatch(delay -> delay <= LIMIT.toSeconds());
    assertThat(delays.subList(12, 24)).isEqualTo(delays.subList(0, 12)).doesNotHaveDuplicates();
  }

  @Test
  void aRunLongerThanTheLimitIsWaitedForNoLonger() {
    pace.took(Duration.ofMinutes(5));
    assertThat(seconds(0, 1, 1)).isEqualTo(60);
  }

  @Test
  void aTargetThatIsQuickAgainHasShortDelaysAfterAFewRuns() {
    pace.took(Duration.ofSeconds(5));
    for (int run = 0; run < 10; run++) {
      pace.took(Duration.ofMillis(10));
    }
    assertThat(pace.delay(0, Duration.ZERO, 1, 1, 1)).isLessThan(Duration.ofMillis(100));
  }

  @Test
  void whatIsKnownOfARunInProgressCounts() {
    assertThat(pace.delay(0, Duration.ofSeconds(3), 1, 1, 1)).isEqualTo(Duration.ofSeconds(3));
  }
}
