package io.failureledger.replay;

/** One round of replay, asked for by hand. Found in the registry under the name {@code retry}. */
public interface Retry {

  /**
   * Claims due pending rows, replays them and settles them. A crash in between leaves the unsettled
   * rows to the next round, after their lease; a repeat takes what is due then.
   *
   * @param limit the most rows to replay, over all feeds
   * @param rowId the one row to replay, when it is due and pending; null for any
   */
  Result retry(int limit, Long rowId);

  /**
   * What became of the rows.
   *
   * @param retried rows replayed: resolved + failed
   * @param resolved replays that succeeded
   * @param failed replays that failed, whether the row is tried again or not
   */
  record Result(int retried, int resolved, int failed) {}
}
