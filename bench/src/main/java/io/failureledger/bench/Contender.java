package io.failureledger.bench;

/** One way of doing the work that is measured. */
interface Contender {
  String name();

  /**
   * Does the work once, from nothing, and cleans up.
   *
   * @return rows or events a second, from the first effect until the last is durably settled
   */
  double rate(int size) throws Exception;
}
