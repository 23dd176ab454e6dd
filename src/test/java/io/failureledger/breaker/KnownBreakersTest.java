package io.failureledger.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.ledger.BreakerRows;
import io.failureledger.ledger.BreakerRows.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of two words about a breaker the later one holds, in whatever order they come. */
class KnownBreakersTest {
  private static final BreakerKey KEY = new BreakerKey("own", "there");

  private final List<String> told = new ArrayList<>();
  private final KnownBreakers known =
      new KnownBreakers((before, now) -> told.add(now.state().text() + now.version()));

  private static BreakerState state(State state, long version, int failures, long learned) {
    boolean closed = state == State.CLOSED;
    return new BreakerState(
        KEY,
        state,
        closed ? null : BreakerRows.Cause.PAUSING,
        failures,
        version,
        !closed,
        false,
        closed ? null : Instant.EPOCH,
        "refused",
        learned);
  }

  @Test
  void anAnswerThatComesLateIsDropped() {
    known.learn(state(State.OPEN, 7, 20, 100));
    known.learn(state(State.CLOSED, 6, 19, 101));
    assertThat(known.holds(KEY)).isTrue();
    assertThat(told).containsExactly("open7");
  }

  @Test
  void aLookThatShowsItNoMoreEndsItUnlessMoreWasHeardSince() {
    known.learn(state(State.OPEN, 7, 20, 100));
    known.learnAll(List.of(), 99);
    assertThat(known.holds(KEY)).isTrue();
    known.learnAll(List.of(), 101);
    assertThat(known.holds(KEY)).isFalse();
    assertThat(known.isEmpty()).isTrue();
    assertThat(told).containsExactly("open7", "closed7");
  }

  @Test
  void aLaterLookAtTheSameVersionHolds() {
    known.learn(state(State.OPEN, 7, 20, 100));
    known.learnAll(List.of(state(State.OPEN, 7, 20, 101)), 101);
    known.learnAll(List.of(), 100);
    assertThat(known.holds(KEY)).isTrue();
  }

  @Test
  void aLookThatWasAskedLaterHoldsThoughTheLedgerWentBack() {
    known.learn(state(State.OPEN, 70, 20, 100));
    known.learnAll(List.of(state(State.CLOSED, 3, 1, 101)), 101);
    assertThat(known.holds(KEY)).isFalse();
    known.learn(state(State.OPEN, 4, 20, 102));
    assertThat(known.holds(KEY)).isTrue();
    assertThat(told).containsExactly("open70", "closed3", "open4");
  }

  @Test
  void aLookThatWasAskedBeforeAnAnswerCameHoldsOnlyWhereItSawMore() {
    known.learn(state(State.OPEN, 7, 20, 100));
    known.learnAll(List.of(state(State.CLOSED, 6, 1, 99)), 99);
    assertThat(known.holds(KEY)).isTrue();
    known.learnAll(List.of(state(State.CLOSED, 8, 1, 99)), 99);
    assertThat(known.holds(KEY)).isFalse();
  }

  @Test
  void oneOfManySuccessesWritesAndAfterTheNextLookAnotherMay() {
    BreakerState counted = state(State.CLOSED, 3, 3, 100);
    known.learn(counted);
    assertThat(known.takesEnd(known.get(KEY))).isTrue();
    assertThat(known.takesEnd(known.get(KEY))).isFalse();
    known.learnAll(List.of(counted), 101);
    assertThat(known.takesEnd(known.get(KEY))).isTrue();
    known.learn(state(State.CLOSED, 4, 0, 102));
    assertThat(known.takesEnd(known.get(KEY))).isFalse();
  }

  @Test
  void anOpenBreakerIsNotEndedByASuccessThatWasNoProbe() {
    known.learn(state(State.OPEN, 7, 20, 100));
    assertThat(known.takesEnd(known.get(KEY))).isFalse();
  }
}
