/**
 * What must go on request: of a shop, or of a customer of a shop. It knows the ledger. What a
 * target holds is the target's to erase.
 */
package io.failureledger.erase;
