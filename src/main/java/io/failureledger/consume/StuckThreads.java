package io.failureledger.consume;

import com.google.cloud.pubsub.v1.AckReplyConsumer;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.handler.HandlerDeadline;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.kafka.KafkaAdmin;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.Exchange;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the event of a thread that is stuck in a handler for good come again, though that thread
 * still holds it. A Pub/Sub message is nacked in the thread's place: else its client would prolong
 * the deadline for an hour. A Kafka consumer stays a member of its group for {@code
 * maxPollIntervalMs}, and while it does no other gets its partitions: so before the route is
 * started again all members are removed from the group, and those that live join again. A repeat is
 * harmless; a process that dies meanwhile frees its events anyway.
 */
public final class StuckThreads implements HandlerDeadline.Stuck {
  private static final Logger LOG = LoggerFactory.getLogger(StuckThreads.class);
  private static final long SECONDS = 10;

  private final FeedSupervisor supervisor;
  private final Map<Thread, AckReplyConsumer> messages = new ConcurrentHashMap<>();
  private final Set<String> routes = ConcurrentHashMap.newKeySet();

  /**
   * @param supervisor stops the route and starts it again
   */
  public StuckThreads(FeedSupervisor supervisor) {
    this.supervisor = supervisor;
  }

  @Override
  public void in(Exchange exchange, Thread thread, HandlerTimeoutException timeout) {
    AckReplyConsumer message = messages.remove(thread);
    if (message == null) {
      // Whatever the run of this thread: while it is in the group, no run gets its partitions.
      routes.add(exchange.getFromRouteId());
      supervisor.failed(exchange.getFromRouteId(), timeout);
    } else {
      supervisor.failed(exchange, timeout);
      message.nack();
    }
  }

  /** Runs the work on a message, which can be nacked meanwhile. */
  public void holding(AckReplyConsumer message, Runnable work) {
    messages.put(Thread.currentThread(), message);
    try {
      work.run();
    } finally {
      messages.remove(Thread.currentThread());
    }
  }

  /** The check, which first frees the group when a thread of the route's last run is stuck. */
  public SourceCheck freeing(String routeId, String group, KafkaAdmin kafka, SourceCheck check) {
    return new SourceCheck() {
      @Override
      public void check() throws Exception {
        if (routes.contains(routeId)) {
          free(group, kafka);
          routes.remove(routeId);
        }
        check.check();
      }

      @Override
      public void recheck() throws Exception {
        check.recheck();
      }
    };
  }

  private static void free(String group, KafkaAdmin kafka) throws Exception {
    try {
      kafka
          .admin()
          .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
          .all()
          .get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (e.getCause() instanceof AuthorizationException) {
        LOG.warn(
            "the group {} may not be freed of a stuck consumer ({}); its partitions come back after maxPollIntervalMs, or when this process ends",
            group,
            e.getCause().getMessage());
        return;
      }
      throw new IOException("the group " + group + " cannot be freed of a stuck consumer", e);
    }
  }
}
