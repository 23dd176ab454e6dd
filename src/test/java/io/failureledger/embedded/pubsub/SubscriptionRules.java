package io.failureledger.embedded.pubsub;

import com.google.protobuf.Duration;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;
import java.util.regex.Pattern;

/** Checks a requested subscription and fills in Google's defaults. Pure. */
final class SubscriptionRules {

  private static final Pattern NAME =
      Pattern.compile("projects/[^/]+/(topics|subscriptions)/[A-Za-z][A-Za-z0-9._~+%-]{2,254}");
  private static final int DEFAULT_ACK_DEADLINE_SECONDS = 10;
  private static final int DEFAULT_DELIVERY_ATTEMPTS = 5;
  private static final Duration DEFAULT_MINIMUM_BACKOFF = seconds(10);
  private static final Duration DEFAULT_MAXIMUM_BACKOFF = seconds(600);

  private SubscriptionRules() {}

  static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Refusal.invalid("Invalid resource name given (name=" + name + ").");
    }
  }

  static Subscription complete(Subscription wanted) {
    checkName(wanted.getName());
    refuseUnsupported(wanted);
    Subscription.Builder complete = wanted.toBuilder().setState(Subscription.State.ACTIVE);
    if (wanted.getAckDeadlineSeconds() == 0) {
      complete.setAckDeadlineSeconds(DEFAULT_ACK_DEADLINE_SECONDS);
    } else {
      checkRange("ack deadline", wanted.getAckDeadlineSeconds(), 10, 600);
    }
    if (wanted.hasRetryPolicy()) {
      complete.setRetryPolicy(complete(wanted.getRetryPolicy()));
    }
    if (wanted.hasDeadLetterPolicy()) {
      complete.setDeadLetterPolicy(complete(wanted.getDeadLetterPolicy()));
    }
    return complete.build();
  }

  private static void refuseUnsupported(Subscription wanted) {
    if (!wanted.getFilter().isEmpty()) {
      throw Refusal.unimplemented("subscription filters");
    }
    if (wanted.getEnableExactlyOnceDelivery()) {
      throw Refusal.unimplemented("exactly-once delivery");
    }
    if (wanted.hasPushConfig() && !wanted.getPushConfig().getPushEndpoint().isEmpty()) {
      throw Refusal.unimplemented("push delivery");
    }
    if (wanted.hasBigqueryConfig() || wanted.hasCloudStorageConfig()) {
      throw Refusal.unimplemented("export subscriptions");
    }
    if (wanted.getMessageTransformsCount() > 0) {
      throw Refusal.unimplemented("message transforms");
    }
  }

  private static RetryPolicy complete(RetryPolicy wanted) {
    RetryPolicy.Builder complete = wanted.toBuilder();
    if (!wanted.hasMinimumBackoff()) {
      complete.setMinimumBackoff(DEFAULT_MINIMUM_BACKOFF);
    }
    if (!wanted.hasMaximumBackoff()) {
      complete.setMaximumBackoff(DEFAULT_MAXIMUM_BACKOFF);
    }
    checkRange("minimum backoff", complete.getMinimumBackoff().getSeconds(), 0, 600);
    checkRange("maximum backoff", complete.getMaximumBackoff().getSeconds(), 0, 600);
    if (RetryDelay.nanos(complete.getMinimumBackoff())
        > RetryDelay.nanos(complete.getMaximumBackoff())) {
      throw Refusal.invalid("The minimum backoff must not exceed the maximum backoff.");
    }
    return complete.build();
  }

  private static DeadLetterPolicy complete(DeadLetterPolicy wanted) {
    checkName(wanted.getDeadLetterTopic());
    if (wanted.getMaxDeliveryAttempts() == 0) {
      return wanted.toBuilder().setMaxDeliveryAttempts(DEFAULT_DELIVERY_ATTEMPTS).build();
    }
    checkRange("max delivery attempts", wanted.getMaxDeliveryAttempts(), 5, 100);
    return wanted;
  }

  private static void checkRange(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw Refusal.invalid(
          "Invalid " + what + " given: " + value + ", not in " + least + " to " + most + ".");
    }
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }
}
