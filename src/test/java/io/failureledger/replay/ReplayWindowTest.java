package io.failureledger.replay;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.HeaderRules;
import io.failureledger.event.Selectors;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.MemoryBroker;
import io.failureledger.ledger.ClaimedEvent;
import io.failureledger.ledger.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {
  static final Feed FEED =
      new Feed(
          "slow",
          new MemoryBroker(),
          null,
          "topic",
          null,
          new Selectors(List.of(), "", "", "", "", ""),
          new HeaderRules("*"),
          null,
          null,
          false,
          null);

  /** 500 rows, 4 handlers, and no more than begins within 40 seconds. */
  private final ReplayWindow window =
      new ReplayWindow(FEED, 500, 1_000_000, 4, Duration.ofSeconds(40));

  @AfterEach
  void close() {
    window.close();
  }

  static Claim claim(long id, int failedReplays, boolean early) {
    return new Claim(
        Statement.row(
            ClaimedEvent.class,
            Map.of(
                "id", id,
                "event_id", "e" + id,
                "retry_count", failedReplays,
                "replays", failedReplays,
                "claims", 1,
                "lease_token", 1L,
                "early", early)));
  }

  private static Outcome took(long id, Duration time) {
    return Outcome.resolved(claim(id, 0, false), FEED, null, null, time);
  }

  /** Takes all the room that a claim may, and says how much. */
  private static int reserve(ReplayWindow window, int wanted) throws InterruptedException {
    int rows = window.awaitRoom(wanted).rows();
    window.take(rows, 0);
    return rows;
  }

  private void settle(int count, Duration each) {
    window.settled(LongStream.range(0, count).mapToObj(id -> took(id, each)).toList());
  }

  @Test
  void aFeedOfFastHandlersClaimsAWholeBatch() throws InterruptedException {
    assertThat(reserve(window, 500)).isEqualTo(500);
    settle(500, Duration.ofMillis(20));
    assertThat(reserve(window, 500)).isEqualTo(500);
  }

  @Test
  void aFeedOfSlowHandlersClaimsOnlyWhatItsThreadsWillBegin() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      settle(reserve(window, 4), Duration.ofSeconds(2));
    }
    assertThat(reserve(window, 500)).isBetween(80, 81);
  }

  @Test
  void theSlowestFeedStillKeepsItsThreadsBusy() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      settle(reserve(window, 4), Duration.ofMinutes(5));
    }
    assertThat(reserve(window, 500)).isEqualTo(4);
  }

  @Test
  void aBatchOfOneKeepsAllThreadsBusy() throws InterruptedException {
    try (ReplayWindow narrow = new ReplayWindow(FEED, 1, 1_000_000, 32, Duration.ofSeconds(40))) {
      for (int claim = 0; claim < 32; claim++) {
        assertThat(reserve(narrow, 1)).isOne();
      }
    }
  }

  @Test
  void whereTooManyHandlersDoNotEndNothingIsClaimedUntilOneDoes() throws Exception {
    for (int hung = 0; hung < ReplayWindow.GIVEN_UP_MAX; hung++) {
      assertThat(window.isStuck()).isFalse();
      window.replaceThread();
    }
    assertThat(window.isStuck()).isTrue();
    CompletableFuture<Integer> room = new CompletableFuture<>();
    Thread claim = new Thread(() -> room.complete(reserveOne()));
    claim.start();
    await().atMost(30, SECONDS).until(() -> claim.getState() == Thread.State.WAITING);
    assertThat(room).isNotDone();
    window.returnThread();
    assertThat(room.get(10, SECONDS)).isOne();
  }

  private int reserveOne() {
    try {
      return reserve(window, 1);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFeedThatIsFastAgainClaimsAWholeBatchAgain() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      settle(reserve(window, 4), Duration.ofMinutes(5));
    }
    for (int round = 0; round < 100; round++) {
      settle(reserve(window, 4), Duration.ofMillis(1));
    }
    assertThat(reserve(window, 500)).isEqualTo(500);
  }
}
