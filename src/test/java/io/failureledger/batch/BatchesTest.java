package io.failureledger.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.feeds.BatchRule;
import io.failureledger.feeds.Feed;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Which events are of one batch. An event here is {@code subject:key:number}, as far as it goes.
 */
class BatchesTest {

  private static Feed feed(String key, int size, boolean ordered) {
    return new Feed(
        "f", null, null, "t", null, null, null, null, null, ordered, new BatchRule(key, size));
  }

  private static Envelope event(String text) {
    String[] parts = text.split(":");
    byte[] subject = parts[0].isEmpty() ? null : parts[0].getBytes(UTF_8);
    List<Header> headers = parts.length < 2 ? List.of() : List.of(Header.of("to", parts[1]));
    byte[] body = "{\"to\":\"%s\"}".formatted(parts.length < 2 ? "" : parts[1]).getBytes(UTF_8);
    return new Envelope(
        "f", text, "test", null, null, null, null, null, null, null, subject, headers, body);
  }

  private static List<List<String>> batches(Feed feed, String... events) {
    return Batches.of(feed, Arrays.asList(events), BatchesTest::event);
  }

  @Test
  void withoutAKeyABatchHasTheEventsAsTheyCameUpToItsSize() {
    assertThat(batches(feed("", 2, false), "a", "a", "b", "c", "d"))
        .containsExactly(List.of("a", "a"), List.of("b", "c"), List.of("d"));
  }

  @Test
  void nothingIsNoBatch() {
    assertThat(batches(feed("", 2, false))).isEmpty();
    assertThat(batches(feed("header:to", 2, true))).isEmpty();
  }

  @Test
  void aBatchHasTheEventsOfOneKeyWhetherAHeaderOrTheBodyHasIt() {
    for (String key : List.of("header:to", "json:/to")) {
      assertThat(batches(feed(key, 2, false), "a:x:1", "a:y:2", "b:x:3", "c:x:4"))
          .containsExactly(List.of("a:x:1", "b:x:3"), List.of("c:x:4"), List.of("a:y:2"));
    }
  }

  @Test
  void eventsWithoutTheKeyAreOfOneBatch() {
    assertThat(batches(feed("header:to", 9, false), "a", "b:x", "c"))
        .containsExactly(List.of("a", "c"), List.of("b:x"));
  }

  @Test
  void inAnOrderedFeedTheNextEventOfASubjectIsInALaterBatch() {
    assertThat(batches(feed("", 9, true), "a::1", "b::1", "a::2", "a::3", "c::1", "b::2"))
        .containsExactly(List.of("a::1", "b::1", "c::1"), List.of("a::2", "b::2"), List.of("a::3"));
  }

  @Test
  void andSoItIsWhenTheEventsOfASubjectHaveSeveralKeys() {
    assertThat(batches(feed("header:to", 9, true), "a:x:1", "b:y:1", "a:y:2", "b:y:2", "a:x:3"))
        .containsExactly(
            List.of("a:x:1"), List.of("b:y:1"), List.of("a:y:2", "b:y:2"), List.of("a:x:3"));
  }

  @Test
  void inAnOrderedFeedEventsWithoutASubjectAreInNoOrder() {
    assertThat(batches(feed("", 9, true), "", "", "a", "a"))
        .containsExactly(List.of("", "", "a"), List.of("a"));
  }
}
