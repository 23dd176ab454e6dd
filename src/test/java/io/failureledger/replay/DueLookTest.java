package io.failureledger.replay;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** Where a look for due rows begins. */
class DueLookTest {
  private static final DueLook.Place START = DueLook.Place.START;
  private static final DueLook.Place FIRST = new DueLook.Place(100, 7);
  private static final DueLook.Place SECOND = new DueLook.Place(100, 9);

  private final DueLook look = new DueLook();

  @Test
  void theFirstLookIsAtTheWholeAndAFullOneIsGoneOnFrom() {
    assertThat(look.begin()).isEqualTo(START);
    look.end(FIRST);
    assertThat(look.begin()).isEqualTo(FIRST);
    look.end(SECOND);
    assertThat(look.begin()).isEqualTo(SECOND);
  }

  @Test
  void aLookThatWasNotFullIsFollowedByOneAtTheWhole() {
    look.begin();
    look.end(FIRST);
    look.begin();
    look.end(null);
    assertThat(look.begin()).isEqualTo(START);
  }

  @Test
  void howeverManyLooksAreFullOneAtTheWholeComesInBetween() {
    look.begin();
    look.end(FIRST);
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              DueLook.Place from = look.begin();
              look.end(FIRST);
              return from.equals(START);
            });
  }
}
