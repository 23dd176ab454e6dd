package io.failureledger.kafka;

import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.Identity;
import io.failureledger.feeds.Feed;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.kafka.common.header.Headers;

/** Reads a Kafka record into an envelope. Never fails for what the record holds. */
final class KafkaEnvelopes {
  /** The identity that a producer, the retry topic or the dead-letter topic gives an event. */
  static final String EVENT_ID = "event-id";

  private final TopicIds topicIds;
  private final InstantSource clock;

  /**
   * @param clock when a record is received: its own timestamp is of whoever produced it
   */
  KafkaEnvelopes(TopicIds topicIds, InstantSource clock) {
    this.topicIds = topicIds;
    this.clock = clock;
  }

  Envelope read(Feed feed, Message message) {
    String topic = message.getHeader(KafkaConstants.TOPIC, String.class);
    int partition = (Integer) message.getHeader(KafkaConstants.PARTITION);
    long offset = (Long) message.getHeader(KafkaConstants.OFFSET);
    Long timestamp = (Long) message.getHeader(KafkaConstants.TIMESTAMP);
    List<Header> received = headers(message);
    List<Header> kept = feed.headers().keep(received);
    return new Envelope(
        feed.name(),
        identity(feed, received, topic, partition, offset),
        "kafka:" + topic + "/" + partition + "/" + offset,
        null,
        null,
        null,
        null,
        timestamp == null || timestamp < 0 ? null : Instant.ofEpochMilli(timestamp),
        clock.instant(),
        null,
        (byte[]) message.getHeader(KafkaConstants.KEY),
        kept,
        (byte[]) message.getBody());
  }

  private String identity(
      Feed feed, List<Header> headers, String topic, int partition, long offset) {
    String selected = feed.selectors().identity(headers);
    if (selected != null) {
      return selected;
    }
    // The topic's id, not its name: a topic deleted and made again starts at offset 0 and is
    // another topic.
    byte[] given = Envelope.bytes(headers, EVENT_ID);
    return given != null && given.length > 0
        ? Identity.of(given)
        : Identity.of(
            topicIds.of(feed.name(), topic, partition, offset) + "/" + partition + "/" + offset);
  }

  static List<Header> headers(Message message) {
    Headers headers = message.getHeader(KafkaConstants.HEADERS, Headers.class);
    List<Header> read = new ArrayList<>();
    if (headers != null) {
      headers.forEach(header -> read.add(new Header(header.key(), header.value())));
    }
    return read;
  }
}
