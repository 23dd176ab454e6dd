/** The way of an event from a broker's record to delivered, parked or returned. */
package io.failureledger.ingest;
