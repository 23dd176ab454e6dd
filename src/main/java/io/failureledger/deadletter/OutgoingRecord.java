package io.failureledger.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/**
 * A record for a retry topic or a dead-letter topic. A record never changes: each method answers
 * with another one.
 *
 * @param topic the feed's, from its settings
 * @param key null for none
 * @param headers text each; written as UTF-8, since Camel would use the charset of the JVM
 * @param value null for none
 */
public record OutgoingRecord(String topic, byte[] key, Map<String, String> headers, byte[] value) {
  static final String METADATA_ONLY = "metadata-only";
  static final String EVENT_HEADERS = "event-headers";

  /** With this header too; without it when its value is null. */
  OutgoingRecord with(String header, Object text) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    if (text == null) {
      more.remove(header);
    } else {
      more.put(header, text.toString());
    }
    return new OutgoingRecord(topic, key, more, value);
  }

  /** The same record for a topic that did not take it whole, because its own limit is lower. */
  public OutgoingRecord metadataOnly() {
    long size =
        (key == null ? 0L : key.length)
            + (value == null ? 0L : value.length)
            + headers.getOrDefault(EVENT_HEADERS, "").length();
    return withoutContent(size);
  }

  /**
   * The record without key, value and the event's headers.
   *
   * @param size bytes that are left out
   */
  OutgoingRecord withoutContent(long size) {
    return new OutgoingRecord(topic, null, headers, null)
        .with(EVENT_HEADERS, null)
        .with(METADATA_ONLY, true)
        .with("event-bytes", size);
  }

  boolean isMetadataOnly() {
    return headers.containsKey(METADATA_ONLY);
  }

  /** Makes the message the record in its body, as Camel's producer takes it. */
  public static void write(Exchange exchange) throws InvalidPayloadException {
    Message message = exchange.getMessage();
    OutgoingRecord record = message.getMandatoryBody(OutgoingRecord.class);
    message.removeHeaders("*");
    record.headers.forEach(
        (name, text) -> message.setHeader(name, text.getBytes(StandardCharsets.UTF_8)));
    if (record.key != null) {
      message.setHeader(KafkaConstants.KEY, record.key);
    }
    message.setHeader(KafkaConstants.OVERRIDE_TOPIC, record.topic);
    message.setBody(record.value);
  }
}
