/**
 * What an exception says about the outside: whether a target or the ledger is away, and the error's
 * state. One class reads SQLSTATEs, for ledger and targets alike.
 */
package io.failureledger.fault;
