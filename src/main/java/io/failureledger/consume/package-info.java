/**
 * Starts, stops and restarts the routes that consume. What an event is about does not matter here.
 */
package io.failureledger.consume;
