package io.failureledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which id a topic's records have, and how often the broker is asked for it. */
class TopicIdsTest {
  private final List<String> asked = new ArrayList<>();
  private String id = "first";
  private final TopicIds ids =
      new TopicIds(
          topic -> {
            asked.add(topic);
            return id;
          });

  @Test
  void feedsThatReadOneTopicEachAtItsOwnOffsetAskOnceEach() {
    for (int n = 0; n < 100; n++) {
      assertThat(ids.of("ahead", "events", 0, 1000 + n)).isEqualTo("first");
      assertThat(ids.of("behind", "events", 0, n)).isEqualTo("first");
    }
    assertThat(asked).hasSize(2);
  }

  @Test
  void partitionsOfOneTopicHaveOffsetsOfTheirOwn() {
    for (int n = 0; n < 100; n++) {
      ids.of("own", "events", 0, 1000 + n);
      ids.of("own", "events", 1, n);
    }
    assertThat(asked).hasSize(2);
  }

  @Test
  void whenTheOffsetsOfOneFeedGoBackTheTopicIsAnotherForAllOfThem() {
    ids.of("one", "events", 0, 7);
    ids.of("two", "events", 0, 5);
    id = "second";
    assertThat(ids.of("one", "events", 0, 8)).isEqualTo("first");
    assertThat(ids.of("one", "events", 0, 0)).isEqualTo("second");
    assertThat(ids.of("two", "events", 0, 0)).isEqualTo("second");
    assertThat(ids.of("two", "other", 0, 0)).isEqualTo("second");
    assertThat(asked).containsExactly("events", "events", "events", "events", "other");
  }

  @Test
  void aRecordThatComesAgainHasTheIdThatTheTopicHasNow() {
    ids.of("own", "events", 0, 0);
    id = "second";
    assertThat(ids.of("own", "events", 0, 0)).isEqualTo("second");
  }
}
