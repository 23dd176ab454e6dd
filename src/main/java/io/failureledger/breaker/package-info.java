/**
 * Breakers of targets, and feeds that a person paused: who waits while a target is away, and who
 * finds it back. It knows nothing of replay: the engine runs what probes through {@link
 * io.failureledger.breaker.Probes}.
 */
package io.failureledger.breaker;
