package io.failureledger.ledger;

import io.failureledger.envelope.Text;

/**
 * A target's name as the ledger has it. One bound for the rows of failed events and for breakers,
 * since a breaker finds its rows by it. Pure.
 */
public final class TargetName {
  private static final int MAX = 200;

  private TargetName() {}

  /**
   * Storable, and at most {@value #MAX} characters long; of a stored one, itself.
   *
   * @param named as a handler, a route file or a retry record names it; null stays null
   */
  public static String of(String named) {
    return Text.bounded(named, MAX);
  }
}
