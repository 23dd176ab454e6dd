package io.failureledger.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.backfill.BackfillBatch.User;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackfillBatchTest {
  private static List<User> users(int count) {
    return IntStream.range(0, count).mapToObj(i -> new User("f", "u" + i, "2026-01-01")).toList();
  }

  @Test
  void everyUserIsInExactlyOneBatchOfAtMostTheSize() {
    List<BackfillBatch> batches = BackfillBatch.split("neptune", users(1_001), 500, "here");
    assertThat(batches.stream().map(batch -> batch.users().size())).containsExactly(500, 500, 1);
    assertThat(batches.stream().flatMap(batch -> batch.userIds().stream()))
        .doesNotHaveDuplicates()
        .hasSize(1_001);
  }

  @Test
  void aUserOfTwoFeedsIsNamedOnceInARequest() {
    BackfillBatch batch =
        new BackfillBatch(
            "both", List.of(new User("a", "u", "1"), new User("b", "u", "1")), "here");
    assertThat(batch.userIds()).containsExactly("u");
  }

  @Test
  void aRepeatedRequestHasTheSameKeyAndOneAfterANewFailureAnother() {
    assertThat(new BackfillBatch("t", users(3), "here").idempotencyKey())
        .isEqualTo(new BackfillBatch("t", users(3), "here").idempotencyKey());
    assertThat(new BackfillBatch("t", List.of(new User("f", "u", "1")), "here").idempotencyKey())
        .isNotEqualTo(
            new BackfillBatch("t", List.of(new User("f", "u", "2")), "here").idempotencyKey());
  }
}
