/**
 * The database of each organization: whose shop it is, how to sign in there, and the connections.
 * It knows nothing of tables.
 */
package io.failureledger.targets.shop.databases;
