/**
 * The typed ledger: statements, the records that they take and give, faults, migrations. No other
 * package knows SQL of the ledger.
 */
package io.failureledger.ledger;
