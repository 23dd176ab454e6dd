package io.failureledger.kafka;

import io.failureledger.event.EventReturnedException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids of topics, looked up once and again whenever a partition's offsets go back, which is what
 * a topic that was deleted and made again looks like from here. Where the broker does not say (an
 * old one, a missing right), the name stands in.
 */
final class TopicIds {
  private static final Logger LOG = LoggerFactory.getLogger(TopicIds.class);
  private static final long LOOK_UP_SECONDS = 5;

  private final UnaryOperator<String> lookUp;
  private final Map<String, String> ids = new ConcurrentHashMap<>();
  private final Map<Position, Long> lastOffsets = new ConcurrentHashMap<>();

  TopicIds(Supplier<Admin> kafka) {
    this(topic -> lookUp(kafka, topic));
  }

  /**
   * @param lookUp finds a topic's id, or what stands in for it
   */
  TopicIds(UnaryOperator<String> lookUp) {
    this.lookUp = lookUp;
  }

  /** Feeds read a topic each at its own offsets. */
  private record Position(String feed, String topic, int partition) {}

  String of(String feed, String topic, int partition, long offset) {
    Long last = lastOffsets.put(new Position(feed, topic, partition), offset);
    if (last == null || offset <= last) {
      ids.remove(topic);
    }
    return ids.computeIfAbsent(topic, lookUp);
  }

  private static String lookUp(Supplier<Admin> kafka, String topic) {
    try {
      Uuid id =
          kafka
              .get()
              .describeTopics(Set.of(topic))
              .allTopicNames()
              .get(LOOK_UP_SECONDS, TimeUnit.SECONDS)
              .get(topic)
              .topicId();
      return id.equals(Uuid.ZERO_UUID) ? topic : id.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EventReturnedException("interrupted while asking for the id of topic " + topic, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException
          || e.getCause() instanceof UnsupportedVersionException) {
        LOG.warn(
            "the broker does not tell the id of topic {} ({}); its name stands in",
            topic,
            e.getCause().toString());
        return topic;
      }
      throw new EventReturnedException("the id of topic " + topic + " is not known", e);
    } catch (TimeoutException e) {
      throw new EventReturnedException("the id of topic " + topic + " is not known", e);
    }
  }
}
