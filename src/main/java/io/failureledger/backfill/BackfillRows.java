package io.failureledger.backfill;

import io.failureledger.ledger.Statement;
import io.failureledger.ledger.ValuesOf;
import java.time.OffsetDateTime;
import java.util.Map;

/** What the statements about users to be backfilled take and answer. */
public final class BackfillRows {
  private BackfillRows() {}

  /**
   * Asks for one user's backfill.
   *
   * @param failedAt when the event failed, as its dead-letter record says
   */
  @ValuesOf("backfill_user/collect-user")
  public record CollectUser(String feed, String userId, String target, OffsetDateTime failedAt) {}

  /**
   * Claims pending users.
   *
   * @param limit users at most
   * @param owner the instance
   * @param lease seconds for which they are this instance's
   */
  @ValuesOf("backfill_user/claim-users")
  public record ClaimUsers(int limit, String owner, double lease) {}

  /**
   * A claimed user.
   *
   * @param failedAt the newest failure, as the ledger writes it
   */
  public record ClaimedUser(String feed, String userId, String target, String failedAt) {
    /** Reads a row of the answer. */
    public static ClaimedUser of(Map<String, Object> columns) {
      return Statement.row(ClaimedUser.class, columns);
    }
  }

  /** The endpoint took these users, up to these failures. */
  @ValuesOf("backfill_user/mark-requested")
  public record MarkRequested(
      String[] feeds, String[] userIds, String[] failedAts, String target, String owner) {}

  /**
   * The endpoint did not take these users: they come again later.
   *
   * @param base seconds after the first failure
   * @param cap seconds at most
   * @param retryAfter seconds that the endpoint asked for; 0 when it did not
   */
  @ValuesOf("backfill_user/postpone-users")
  public record PostponeUsers(
      String[] feeds,
      String[] userIds,
      String target,
      String owner,
      String error,
      double base,
      double cap,
      double retryAfter) {}
}
