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
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
    return read(
        feed,
        message.getHeader(KafkaConstants.TOPIC, String.class),
        (Integer) message.getHeader(KafkaConstants.PARTITION),
        (Long) message.getHeader(KafkaConstants.OFFSET),
        (Long) message.getHeader(KafkaConstants.TIMESTAMP),
        headers(message),
        (byte[]) message.getHeader(KafkaConstants.KEY),
        (byte[]) message.getBody());
  }

  /** A record that no exchange was made of. */
  Envelope read(Feed feed, ConsumerRecord<byte[], byte[]> record) {
    return read(
        feed,
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        headers(record.headers()),
        record.key(),
        record.value());
  }

  private Envelope read(
      Feed feed,
      String topic,
      int partition,
      long offset,
      Long timestamp,
      List<Header> received,
      byte[] key,
      byte[] body) {
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
        key,
        kept,
        body);
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
    return headers(message.getHeader(KafkaConstants.HEADERS, Headers.class));
  }

  private static List<Header> headers(Headers headers) {
    List<Header> read = new ArrayList<>();
    if (headers != null) {
      headers.forEach(header -> read.add(new Header(header.key(), header.value())));
    }
    return read;
  }
}
