/**
 * The guard around a handler: its time-out, stuck threads, failures that can be read, and the
 * exceptions that a handler may throw.
 */
package io.failureledger.handler;
