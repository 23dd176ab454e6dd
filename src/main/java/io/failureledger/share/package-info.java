/**
 * Shares of a feed's threads, one for each of its targets: a slow target gets its own and no more.
 * It knows neither the ledger nor the routes.
 */
package io.failureledger.share;
