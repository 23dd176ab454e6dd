package io.failureledger;

/** What a {@link Bundle} is made for. */
public enum Mode {
  /** Every route and the management port. */
  RUN,
  /** Every route, made and never started, and no management port. */
  CHECK,
  /** A command, such as one round of replay: no ingest, no timers, no management port. */
  RETRY
}
