package io.failureledger.replay;

/**
 * An event was claimed again and again and never settled: each time the process died while it was
 * being replayed, or the outcome could not be written. It is not run another time, so an event that
 * kills its process does so a bounded number of times. A repeat of the claim says the same.
 */
public final class LeaseLostException extends RuntimeException {
  /** Why an event that fails by it is failed. */
  static final String REASON = "lease-lost";

  private static final long serialVersionUID = 1L;

  LeaseLostException(int claims) {
    super(
        "claimed "
            + claims
            + " times in a row and never settled: the process died meanwhile, or the outcome could not be written");
  }
}
