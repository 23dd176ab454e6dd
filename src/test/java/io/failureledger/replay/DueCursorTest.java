package io.failureledger.replay;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** Where a look for due rows begins. */
class DueCursorTest {
  private static final DueCursor.Place START = DueCursor.Place.START;
  private static final DueCursor.Place FIRST = new DueCursor.Place(100, 7);
  private static final DueCursor.Place SECOND = new DueCursor.Place(100, 9);

  private final DueCursor look = new DueCursor();

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
              DueCursor.Place from = look.begin();
              look.end(FIRST);
              return from.equals(START);
            });
  }
}
