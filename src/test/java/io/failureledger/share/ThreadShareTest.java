package io.failureledger.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.share.ThreadShare.Run;
import io.failureledger.share.ThreadShare.Standing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThreadShareTest {
  private final AtomicLong now = new AtomicLong();
  private final ThreadShare threads =
      new ThreadShare(8, 0.25, Duration.ofSeconds(1), now::get); // two of eight

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private void run(String name, Duration took) {
    Run run = threads.begin(name);
    pass(took);
    run.end(true);
  }

  private void begin(String name, int runs) {
    for (int i = 0; i < runs; i++) {
      threads.begin(name);
    }
  }

  @Test
  void aSlowOneHasItsShareWhileAnotherIsThere() {
    run("slow", Duration.ofSeconds(5));
    run("quick", Duration.ofMillis(5));
    begin("slow", 1);
    assertThat(threads.standing("slow")).isEqualTo(Standing.FREE);
    begin("slow", 1);
    assertThat(threads.standing("slow")).isEqualTo(Standing.BUSY);
    assertThat(threads.standing("quick")).isEqualTo(Standing.FREE);
  }

  @Test
  void aSlowOneByItselfMayHaveAll() {
    run("slow", Duration.ofSeconds(5));
    begin("slow", 7);
    assertThat(threads.standing("slow")).isEqualTo(Standing.FREE);
    run("quick", Duration.ofMillis(5));
    assertThat(threads.standing("slow")).isEqualTo(Standing.BUSY);
    pass(Duration.ofSeconds(11));
    assertThat(threads.standing("slow")).as("the other is gone").isEqualTo(Standing.FREE);
  }

  @Test
  void aQuickOneMayHaveAll() {
    run("other", Duration.ofMillis(5));
    run("quick", Duration.ofMillis(5));
    begin("quick", 7);
    assertThat(threads.standing("quick")).isEqualTo(Standing.FREE);
  }

  @Test
  void aQuickOneThatStallsIsLateAndThenBusy() {
    run("other", Duration.ofMillis(5));
    run("quick", Duration.ofMillis(5));
    begin("quick", 2);
    pass(Duration.ofMillis(150));
    assertThat(threads.standing("quick")).isEqualTo(Standing.LATE);
    pass(Duration.ofSeconds(1));
    assertThat(threads.standing("quick")).isEqualTo(Standing.BUSY);
  }

  @Test
  void aNewOneHasItsShareUntilARunOfItTells() {
    run("other", Duration.ofMillis(5));
    Run first = threads.begin("new");
    Run second = threads.begin("new");
    assertThat(threads.standing("new")).isEqualTo(Standing.NEW);
    first.end(false);
    begin("new", 1);
    assertThat(threads.standing("new")).as("the target was not asked").isEqualTo(Standing.NEW);
    second.end(true);
    begin("new", 1);
    assertThat(threads.standing("new")).isEqualTo(Standing.FREE);
  }

  @Test
  void aSlowOneThatIsQuickAgainMayHaveAll() {
    run("slow", Duration.ofSeconds(5));
    run("other", Duration.ofMillis(5));
    run("slow", Duration.ofMillis(5));
    begin("slow", 7);
    assertThat(threads.standing("slow")).isEqualTo(Standing.FREE);
  }

  @Test
  void aRunThatIsEndedTwiceFreesOnePlace() {
    run("slow", Duration.ofSeconds(5));
    run("other", Duration.ofMillis(5));
    Run run = threads.begin("slow");
    begin("slow", 2);
    run.end(false);
    run.end(false);
    assertThat(threads.begin("slow", Standing.NEW)).isNull();
  }

  @Test
  void aThreadIsTheLeastShare() {
    assertThat(new ThreadShare(1, 0.01, Duration.ofSeconds(1)).places()).isOne();
  }
}
