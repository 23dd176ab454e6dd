/** The target of the feed consumer-graph: a graph over Bolt. It knows nothing of the ledger. */
package io.failureledger.targets.graph;
