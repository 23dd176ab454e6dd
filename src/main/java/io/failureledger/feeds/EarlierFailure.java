package io.failureledger.feeds;

/**
 * What a batch with this event failed by, so that the event is parked and not run again.
 *
 * @param target that the batch handler named; null when it named none
 */
public record EarlierFailure(Exception failure, String target) {}
