package io.failureledger.feeds;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which topics two feeds, or one, may use together. */
class FeedTopicsTest {
  private static final String GROUPS = "group";
  private static final String RETRIES = "retry-group";
  private static final String COLLECTS = "dead-letter-group";

  private final FeedTopics topics = new FeedTopics();

  private void feed(
      String name, String source, String retry, String deadLetter, Map<String, String> groups) {
    Feed feed =
        new Feed(
            name,
            new MemoryBroker(),
            null,
            source,
            null,
            null,
            null,
            retry,
            deadLetter,
            false,
            null);
    topics.add(feed, parameter -> groups.getOrDefault(parameter, ""));
  }

  private void refused(String... words) {
    assertThatThrownBy(topics::check)
        .isInstanceOf(RouteRefusedException.class)
        .hasMessageContainingAll(words);
  }

  private void allowed() {
    assertThatCode(topics::check).doesNotThrowAnyException();
  }

  @Test
  void oneRetryTopicOfTwoFeedsIsRefusedInWhateverGroups() {
    feed("a", "a", "r", null, Map.of(RETRIES, "a-retry"));
    feed("b", "b", "r", null, Map.of(RETRIES, "b-retry"));
    refused(
        "the topic r is the retry-topic of the feed a and the retry-topic of the feed b, ",
        "allowed is a retry-topic of its own for each feed");
  }

  @Test
  void aRetryTopicThatAFeedConsumesIsRefused() {
    feed("a", "a", "b", null, Map.of());
    feed("b", "b", null, null, Map.of());
    refused("the topic b is the retry-topic of the feed a and the topic of the feed b");
  }

  @Test
  void aRetryTopicThatIsItsOwnFeedsSourceIsRefused() {
    feed("a", "a", "a", null, Map.of());
    refused("the topic a is the topic of the feed a and the retry-topic of the feed a");
  }

  @Test
  void aRetryTopicThatIsADeadLetterTopicIsRefused() {
    feed("a", "a", "r", "r", Map.of());
    refused("the topic r is the retry-topic of the feed a and the dead-letter-topic of the feed a");
  }

  @Test
  void aDeadLetterTopicThatAFeedConsumesIsRefused() {
    feed("a", "a", null, "b", Map.of());
    feed("b", "b", null, null, Map.of());
    refused(
        "the topic b is the dead-letter-topic of the feed a and the topic of the feed b, ",
        "come in again");
  }

  @Test
  void feedsOfOneSourceNeedGroupsOfTheirOwn() {
    feed("a", "t", null, null, Map.of(GROUPS, "g"));
    feed("b", "t", null, null, Map.of(GROUPS, "h"));
    allowed();
    feed("c", "t", null, null, Map.of(GROUPS, "h"));
    refused(
        "the topic t is the topic of the feed b and the topic of the feed c, both in the group h: ",
        "allowed is a group of its own for each feed");
  }

  @Test
  void aDeadLetterTopicMayBeSharedWhileNobodyCollectsItsUsers() {
    feed("a", "a", null, "d", Map.of());
    feed("b", "b", null, "d", Map.of());
    allowed();
    feed("c", "c", null, "d", Map.of(COLLECTS, "c-users"));
    refused(
        "the topic d is the dead-letter-topic of the feed a and the dead-letter-topic of the feed c, ",
        "without any dead-letter-group");
  }

  @Test
  void feedsWithTopicsOfTheirOwnAreAllowed() {
    Map<String, String> groups = Map.of(GROUPS, "g", RETRIES, "g", COLLECTS, "g");
    feed("a", "a", "a-retry", "a-dead", groups);
    feed("b", "b", "b-retry", "b-dead", groups);
    allowed();
  }
}
