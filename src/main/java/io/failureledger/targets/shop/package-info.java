/**
 * The target of the feed shopify: each shop's own Postgres. It knows nothing of the ledger's tables
 * of failed events.
 */
package io.failureledger.targets.shop;
