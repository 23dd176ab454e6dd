/**
 * Retry policies and error classes: when a failed event is tried again, and when it is failed.
 * Pure.
 */
package io.failureledger.policy;
