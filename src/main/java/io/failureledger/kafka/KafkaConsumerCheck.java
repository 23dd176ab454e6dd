package io.failureledger.kafka;

import java.io.IOException;
import org.apache.camel.Consumer;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.apache.camel.component.kafka.TaskHealthState;

/**
 * Does a route's Kafka consumer still consume? Every poll that fails ends the consumer's thread
 * ({@code pollOnError: STOP}) while its route stays "Started": the client's own retries are over
 * then, and what is left is a refused login, a refused right, or a bug.
 */
public final class KafkaConsumerCheck {
  private final WatchedKafkaClients clients;

  KafkaConsumerCheck(WatchedKafkaClients clients) {
    this.clients = clients;
  }

  /** Why it does not consume, or null while it does, and for any other consumer. */
  public Exception death(Consumer consumer) {
    if (consumer instanceof KafkaConsumer kafka) {
      for (TaskHealthState task : kafka.healthStates()) {
        if (isDead(task)) {
          return new IOException("its Kafka consumer ended", cause(task));
        }
      }
    }
    return null;
  }

  /** A thread that has not made its client yet has no client id and no error. */
  private static boolean isDead(TaskHealthState task) {
    boolean begun = task.getClientId() != null;
    return !task.isReady()
        && (task.isTerminated() || task.getLastError() != null || (begun && !task.isRecoverable()));
  }

  private Exception cause(TaskHealthState task) {
    return task.getLastError() != null ? task.getLastError() : clients.failure(task.getGroupId());
  }
}
