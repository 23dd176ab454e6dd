package io.failureledger.event;

/**
 * A target's name as the ledger has it. One bound for the rows of failed events and for breakers,
 * since a breaker finds its rows by it. Pure.
 */
public final class TargetName {
  private static final int MAX = 200;

  /** Characters of the hash and what is before it. */
  private static final int HASH = 72;

  private TargetName() {}

  /**
   * Storable, and at most {@value #MAX} characters long; of a stored one, itself. What has to be
   * changed for that gets the hash of what it was, so that two targets never become one.
   *
   * @param named as a handler, a route file or a retry record names it; null stays null
   */
  public static String of(String named) {
    return named == null || Text.isStorable(named, MAX)
        ? named
        : Text.bounded(named, MAX - HASH) + "#" + Identity.hashed(named);
  }
}
