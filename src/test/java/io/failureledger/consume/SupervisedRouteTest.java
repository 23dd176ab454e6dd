package io.failureledger.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a route that does not consume is tried again. */
class SupervisedRouteTest {
  private final SupervisedRoute route =
      new SupervisedRoute(
          "ingest-own",
          () -> {},
          List.of(5, 10, 20, 40, 60).stream().map(Duration::ofSeconds).toList());

  @Test
  void theLastDelayRepeatsForEver() {
    assertThat(IntStream.range(0, 7).mapToLong(n -> route.waitAgain("gone").toSeconds()))
        .containsExactly(5L, 10L, 20L, 40L, 60L, 60L, 60L);
    assertThat(route.reason()).isEqualTo("gone");
  }

  @Test
  void aRouteThatDiesAtOnceGoesOnWithTheNextDelay() {
    for (long delay : new long[] {5, 10, 20}) {
      route.started();
      assertThat(route.reason()).isNull();
      assertThat(route.failed(route.run(), "refused")).isTrue();
      assertThat(route.failed(route.run(), "refused again")).isFalse();
      assertThat(route.waitAgain("refused").toSeconds()).isEqualTo(delay);
    }
  }

  @Test
  void anEventThatGetsThroughStartsOverAtTheFirstDelay() {
    route.waitAgain("gone");
    route.waitAgain("gone");
    route.started();
    route.progressed(1);
    route.failed(1, "refused");
    assertThat(route.waitAgain("refused").toSeconds()).isEqualTo(5);
  }

  @Test
  void whatAnEarlierRunComesToChangesNothingInTheOneThatIsUnderWay() {
    route.started();
    route.failed(1, "its handler is stuck");
    route.waitAgain("its handler is stuck");
    route.started();
    assertThat(route.refuses(1)).isTrue();
    assertThat(route.refuses(2)).isFalse();
    assertThat(route.failed(1, "it ended late")).isFalse();
    assertThat(route.reason()).isNull();
    route.progressed(1);
    assertThat(route.failed(2, "refused")).isTrue();
    assertThat(route.waitAgain("refused").toSeconds()).isEqualTo(10);
  }

  @Test
  void aConsumerIsDeadWhenItSeemsSoTwiceInARow() {
    route.started();
    assertThat(route.isDead(true)).isFalse();
    assertThat(route.isDead(false)).isFalse();
    assertThat(route.isDead(true)).isFalse();
    assertThat(route.isDead(true)).isTrue();
    route.started();
    assertThat(route.isDead(true)).isFalse();
  }

  @Test
  void aRouteThatIsHeldIsStoppedOnceAndDoesNotStart() {
    route.started();
    assertThat(route.hold("paused")).isEqualTo(SupervisedRoute.Next.STOP);
    assertThat(route.hold("paused")).isEqualTo(SupervisedRoute.Next.NOTHING);
    assertThat(route.refuses(1)).isTrue();
    assertThat(route.failed(1, "returned an event")).isFalse();
    assertThat(route.stopped()).isTrue();
    assertThat(route.started()).isFalse();
    route.waitHeld();
    assertThat(route.reason()).isEqualTo("paused");
  }

  @Test
  void aRouteThatIsHeldNoMoreStartsAtOnceAndNotBesideATryThatWasPlanned() {
    route.waitAgain("gone");
    int planned = route.nextTry();
    assertThat(route.hold("paused")).isEqualTo(SupervisedRoute.Next.NOTHING);
    assertThat(route.hold(null)).isEqualTo(SupervisedRoute.Next.START);
    assertThat(route.hold(null)).isEqualTo(SupervisedRoute.Next.NOTHING);
    int now = route.nextTry();
    assertThat(route.isLatestTry(planned)).isFalse();
    assertThat(route.isLatestTry(now)).isTrue();
    assertThat(route.started()).isTrue();
    assertThat(route.isLatestTry(now)).isFalse();
  }

  @Test
  void aRouteThatIsLetGoWhileItStopsStartsWhenItIsStopped() {
    route.started();
    route.hold("open");
    assertThat(route.hold(null)).isEqualTo(SupervisedRoute.Next.NOTHING);
    assertThat(route.stopped()).isTrue();
    assertThat(route.started()).isTrue();
  }

  @Test
  void aRouteThatFailedAndIsHeldThenWaitsForItsNextTry() {
    route.started();
    route.failed(1, "refused");
    assertThat(route.hold("open")).isEqualTo(SupervisedRoute.Next.NOTHING);
    assertThat(route.stopped()).isFalse();
  }

  @Test
  void aStartAfterAFailedRunOrAFailedTryIsARestart() {
    assertThat(route.failedBefore()).isFalse();
    route.waitAgain("gone");
    assertThat(route.failedBefore()).isTrue();
    route.started();
    assertThat(route.failedBefore()).isFalse();
    route.failed(1, "refused");
    assertThat(route.failedBefore()).isTrue();
  }

  @Test
  void aStartAfterAPauseIsNoRestart() {
    route.started();
    route.hold("paused");
    route.stopped();
    route.hold(null);
    assertThat(route.failedBefore()).isFalse();
  }
}
