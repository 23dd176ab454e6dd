package io.failureledger.event;

/**
 * The user whose data is asked for again. It is asked for by exactly the name that the event says,
 * or not at all: a name that was repaired or cut would be another user's.
 */
public final class UserId {
  /** Longest name of a user, in characters, as the ledger has it. */
  private static final int MAX = 500;

  private UserId() {}

  /** The user of this name; null for a name that the ledger cannot hold as it is, and for null. */
  public static String of(String name) {
    return name != null && Text.isStorable(name, MAX) ? name : null;
  }

  /** The user whose name these bytes are in UTF-8; null where they are no text. */
  public static String of(byte[] name) {
    return of(Text.exact(name));
  }
}
