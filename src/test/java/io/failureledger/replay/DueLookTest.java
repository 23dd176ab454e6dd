package io.failureledger.replay;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** Where a look for due rows begins. */
class DueLookTest {
  private final DueLook look = new DueLook();

  @Test
  void theFirstLookIsAtTheWholeAndAFullOneIsGoneOnFrom() {
    assertThat(look.begin()).isZero();
    look.end(true, 100);
    assertThat(look.begin()).isEqualTo(100);
    look.end(true, 200);
    assertThat(look.begin()).isEqualTo(200);
  }

  @Test
  void aLookThatWasNotFullIsFollowedByOneAtTheWhole() {
    look.begin();
    look.end(true, 100);
    look.begin();
    look.end(false, 0);
    assertThat(look.begin()).isZero();
  }

  @Test
  void howeverManyLooksAreFullOneAtTheWholeComesInBetween() {
    look.begin();
    look.end(true, 100);
    await()
        .atMost(10, SECONDS)
        .until(
            () -> {
              long from = look.begin();
              look.end(true, 100);
              return from == 0;
            });
  }
}
