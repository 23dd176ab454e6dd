package io.failureledger.policy;

import java.util.Locale;

/** What kind of failure an exception is, to a retry policy. */
public enum ErrorClass {
  /** Tried again on the policy's schedule; whatever matches no pattern. */
  RETRY,
  /** No repeat can succeed: failed at once. */
  TERMINAL,
  /** The target cannot be reached: every event for it fails alike, this one is not to blame. */
  PAUSE;

  /** As the column {@code error_class} has it. */
  public String column() {
    return name().toLowerCase(Locale.ROOT);
  }
}
