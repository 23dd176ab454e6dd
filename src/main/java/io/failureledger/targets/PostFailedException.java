package io.failureledger.targets;

import io.failureledger.policy.RetryLaterException;
import java.time.Duration;

/** An answer that is none of success. Its message has the status and how the answer begins. */
public final class PostFailedException extends RetryLaterException {
  private static final long serialVersionUID = 1L;

  PostFailedException(String message, Duration after) {
    super(message, after);
  }
}
