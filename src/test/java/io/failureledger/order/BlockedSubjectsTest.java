package io.failureledger.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is blocked is never taken for free, however parks, refreshes and assignments overlap. */
@Timeout(30)
class BlockedSubjectsTest {
  private static final Map<String, Long> NOTHING = Map.of();

  private final BlockedSubjects blocked = new BlockedSubjects();

  private void refresh(Map<String, Long> found) {
    blocked.end(blocked.begin(), found);
  }

  @Test
  void aParkedSubjectIsBlockedUntilALaterRefreshDoesNotFindIt() {
    blocked.parking("s");
    blocked.parked("s");
    assertThat(blocked.isBlocked("s")).isTrue();
    refresh(Map.of("s", 1L));
    assertThat(blocked.isBlocked("s")).isTrue();
    refresh(NOTHING);
    assertThat(blocked.isBlocked("s")).isFalse();
    assertThat(blocked.isEmpty()).isTrue();
  }

  @Test
  void aParkThatIsCommittedWhileARefreshAsksSurvivesIt() {
    BlockedSubjects.Refresh asking = blocked.begin();
    blocked.parking("s");
    blocked.parked("s");
    blocked.end(asking, NOTHING);
    assertThat(blocked.isBlocked("s")).isTrue();
  }

  @Test
  void aParkThatBeganBeforeARefreshAndIsCommittedAfterItsQuerySurvivesIt() {
    blocked.parking("s");
    BlockedSubjects.Refresh asking = blocked.begin();
    blocked.parked("s");
    blocked.end(asking, NOTHING);
    assertThat(blocked.isBlocked("s")).isTrue();
  }

  @Test
  void aParkWhoseAnswerWasLostKeepsItsSubjectBlockedUntilOneOfItEnds() {
    blocked.parking("s");
    refresh(NOTHING);
    refresh(NOTHING);
    assertThat(blocked.isBlocked("s")).isTrue();
    blocked.parking("s");
    blocked.parked("s");
    refresh(NOTHING);
    assertThat(blocked.isBlocked("s")).isFalse();
  }

  @Test
  void anOlderRefreshThatEndsLaterFreesNothingThatTheNewerOneFound() {
    BlockedSubjects.Refresh older = blocked.begin();
    refresh(Map.of("s", 1L));
    blocked.end(older, NOTHING);
    assertThat(blocked.isBlocked("s")).isTrue();
  }

  @Test
  void aRefreshThatBeganLaterButAskedSoonerFreesNothingThatTheOlderOneFound() {
    BlockedSubjects.Refresh older = blocked.begin();
    BlockedSubjects.Refresh newer = blocked.begin();
    blocked.end(older, Map.of("s", 1L));
    blocked.end(newer, NOTHING);
    assertThat(blocked.isBlocked("s")).isTrue();
  }

  @Test
  void anAssignmentIsLoadedByARefreshThatBeganAfterItOnly() {
    assertThat(blocked.mustLoad()).isFalse();
    BlockedSubjects.Refresh before = blocked.begin();
    blocked.assigned();
    blocked.end(before, NOTHING);
    assertThat(blocked.mustLoad()).isTrue();
    BlockedSubjects.Refresh after = blocked.begin();
    blocked.assigned();
    blocked.end(after, NOTHING);
    assertThat(blocked.mustLoad()).isTrue();
    refresh(NOTHING);
    assertThat(blocked.mustLoad()).isFalse();
  }

  @Test
  void whatWaitsBehindOthersIsCounted() {
    assertThat(blocked.behind()).isNaN();
    refresh(Map.of("s", 3L, "t", 1L));
    assertThat(blocked.behind()).isEqualTo(2);
  }

  @Test
  void parksAndRefreshesAtOnceLoseNoSubject() throws InterruptedException {
    AtomicBoolean committed = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Thread refreshes =
        new Thread(
            () -> {
              while (!ended.get()) {
                BlockedSubjects.Refresh refresh = blocked.begin();
                blocked.end(refresh, committed.get() ? Map.of("s", 1L) : NOTHING);
                begun.countDown();
              }
            });
    refreshes.start();
    begun.await();
    for (int i = 0; i < 20_000; i++) {
      blocked.parking("s");
      committed.set(true);
      blocked.parked("s");
      assertThat(blocked.isBlocked("s")).isTrue();
      // Resolved: from here on it may be free at any time.
      committed.set(false);
    }
    ended.set(true);
    refreshes.join();
  }
}
