/**
 * The target of the feed shopify: each shop's own Postgres. Its tables are described in YAML, and
 * its SQL is made of that. It knows nothing of the ledger's tables of failed events.
 */
package io.failureledger.targets.shop;
