package io.failureledger.targets.shop;

import io.failureledger.handler.UnsupportedEventException;

/**
 * No file describes a table for the event's topic. Nothing was written; a repeat fails the same way
 * until one does. The message names the topic, the shop, and the topics that are described.
 */
public final class UnsupportedTopicException extends UnsupportedEventException {
  private static final long serialVersionUID = 1L;

  UnsupportedTopicException(String message) {
    super(message);
  }
}
