/**
 * Events that one handler run gets together, at ingest and at replay alike. A batch is tried before
 * its events go their way alone. No broker and no row is named here.
 */
package io.failureledger.batch;
