package io.failureledger.deadletter;

import io.failureledger.ledger.Statement;
import io.failureledger.ledger.ValuesOf;
import java.util.Map;

/** What the statements that publish dead letters take and answer. */
public final class DeadLetterRows {
  private DeadLetterRows() {}

  /**
   * Claims rows whose dead-letter record is still to be published.
   *
   * @param limit rows at most
   * @param bytes of content at most; a larger event comes alone
   * @param owner the instance
   * @param lease seconds for which the rows are this instance's
   */
  @ValuesOf("failed_event/claim-dead-letters")
  public record ClaimDeadLetters(String feed, int limit, long bytes, String owner, double lease) {}

  /** A claimed row, with what its record says. */
  public record MarkedEvent(
      long id,
      String feed,
      String eventId,
      int retryCount,
      long leaseToken,
      String errorType,
      String reason,
      String target,
      Long failedAtMicros,
      String source,
      String eventType,
      String subject,
      String userId,
      String errorMessage,
      byte[] key,
      String headers,
      byte[] body) {
    /** Reads a row of the answer. */
    public static MarkedEvent of(Map<String, Object> columns) {
      return Statement.row(MarkedEvent.class, columns);
    }
  }

  /** Clears the mark, unless another instance has claimed the row since. */
  @ValuesOf("failed_event/clear-dead-letter-mark")
  public record ClearDeadLetterMark(long id, long token) {}
}
