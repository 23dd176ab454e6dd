package io.failureledger;

/** What a {@link Bundle} is made for. */
public enum Mode {
  /** Every route and the management port. */
  RUN,
  /** One round of replay from the command line: no ingest, no timers, no management port. */
  RETRY
}
