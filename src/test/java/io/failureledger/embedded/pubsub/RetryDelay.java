package io.failureledger.embedded.pubsub;

import com.google.protobuf.Duration;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;
import java.util.concurrent.TimeUnit;

/**
 * How long a message that was nacked, or whose deadline passed, waits for its next delivery: with a
 * retry policy {@code min(maximum, minimum * 2^(attempts - 1))}, else about 100 ms. Pure.
 */
record RetryDelay(long minimumNanos, long maximumNanos) {

  private static final long WITHOUT_POLICY = TimeUnit.MILLISECONDS.toNanos(100);

  static RetryDelay of(Subscription subscription) {
    if (!subscription.hasRetryPolicy()) {
      return new RetryDelay(WITHOUT_POLICY, WITHOUT_POLICY);
    }
    RetryPolicy policy = subscription.getRetryPolicy();
    return new RetryDelay(nanos(policy.getMinimumBackoff()), nanos(policy.getMaximumBackoff()));
  }

  long nanosAfter(int attempts) {
    double wanted = (double) minimumNanos * Math.pow(2, Math.max(0, attempts - 1));
    return (long) Math.min((double) maximumNanos, wanted);
  }

  static long nanos(Duration duration) {
    return TimeUnit.SECONDS.toNanos(duration.getSeconds()) + duration.getNanos();
  }
}
