package io.failureledger.batch;

/** What takes back an event that was given to a batch: a consumer, or the replay of a row. */
public interface Batched {

  /** What its batch handler gets. */
  BatchEvent event();

  /**
   * The batch handler succeeded.
   *
   * @param reason why it changed nothing; null when it did
   * @param target that the batch handler named; null when it named none
   */
  void succeeded(String reason, String target);

  /** The batch handler failed, by what would fail the event alone too. It is not run again. */
  void failed(Exception failure, String target);

  /** It is to be run alone, by its feed's handler. */
  void runAlone();
}
