/**
 * Breakers of targets, and feeds that a person paused: who waits while a target is away, and who
 * finds it back.
 */
package io.failureledger.breaker;
