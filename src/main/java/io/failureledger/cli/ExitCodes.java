package io.failureledger.cli;

/** How every command ends. 0 is ok, 1 a failure, 2 bad usage, settings or routes. */
final class ExitCodes {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  /** What was named is not there. */
  static final int NOT_FOUND = 3;

  /** What is there stands against it. */
  static final int CONFLICT = 4;

  /** The ledger or a target did not answer. */
  static final int UNREACHABLE = 5;

  private ExitCodes() {}
}
