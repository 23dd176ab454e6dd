/**
 * Failed rows on their way to a dead-letter topic, and parked events on their way back from a retry
 * topic.
 */
package io.failureledger.deadletter;
