package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** backfill-users and backfill-users-batch, in batches of two users. */
class BackfillUsersTest extends RouteTest {
  private static final String CLAIM = "backfill_user/claim-users";
  private static final String REQUESTED = "backfill_user/mark-requested";
  private static final String POSTPONE = "backfill_user/postpone-users";

  private List<Posts.Post> posted() {
    return parts.posts.made;
  }

  private Exchange backfill(String... users) {
    ledger.finds(
        CLAIM, java.util.Arrays.stream(users).map(u -> Events.user(u, "neptune")).toList());
    return send("direct:backfill-users", null, Map.of());
  }

  @Test
  void eachBatchIsPostedAndThenMarked() {
    assertThat(backfill("u1", "u2", "u3").getException()).isNull();
    assertThat(posted())
        .extracting(Posts.Post::body)
        .containsExactly(
            "{\"user_ids\":[\"u1\",\"u2\"],\"target\":\"neptune\"}",
            "{\"user_ids\":[\"u3\"],\"target\":\"neptune\"}");
    assertThat(posted())
        .allSatisfy(
            post -> {
              assertThat(post.url()).isEqualTo("http://localhost:1/admin/backfill");
              assertThat(post.deadline()).isEqualTo("30s");
            });
    assertThat(steps.ranOf("claim-users", "post-batch", "mark-requested"))
        .containsExactly(
            "claim-users", "post-batch", "mark-requested", "post-batch", "mark-requested");
    assertThat((String[]) ledger.calls().get(1).parameters().get("user_ids"))
        .containsExactly("u1", "u2");
  }

  @Test
  void aBatchPostedAgainCarriesTheSameKey() {
    backfill("u1");
    backfill("u1");
    assertThat(posted()).hasSize(2);
    assertThat(posted().get(0).key()).isNotNull().isEqualTo(posted().get(1).key());
  }

  @Test
  void aBatchThatTheEndpointDoesNotTakeIsPostponedAndTheNextOneIsPosted() {
    parts.posts.failures.add("503 of the endpoint");
    assertThat(backfill("u1", "u2", "u3").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(CLAIM, POSTPONE, REQUESTED);
    assertThat(ledger.parametersOf(POSTPONE))
        .containsEntry("error", "503 of the endpoint")
        .containsEntry("base", 10.0)
        .containsEntry("cap", 600.0)
        .containsEntry("retry_after", 0.0)
        .containsEntry("owner", "here");
  }

  @Test
  void aMarkThatFailsPostponesTheBatchSoThatItIsPostedAgain() {
    ledger.fails(REQUESTED, "XX000");
    assertThat(backfill("u1").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(CLAIM, REQUESTED, POSTPONE);
  }

  @Test
  void aLedgerThatIsGoneLeavesTheUsersToTheirLease() {
    ledger.fails(REQUESTED, "08006");
    ledger.fails(POSTPONE, "08006");
    assertThat(backfill("u1").getException()).isNotNull();
    assertThat(ledger.statements()).containsExactly(CLAIM, REQUESTED, POSTPONE);
  }

  @Test
  void aClaimThatFailsReachesTheTimerAndNothingIsPosted() {
    ledger.fails(CLAIM, "08006");
    assertThat(send("direct:backfill-users", null, Map.of()).getException())
        .isInstanceOf(SQLException.class);
    assertThat(posted()).isEmpty();
  }
}
