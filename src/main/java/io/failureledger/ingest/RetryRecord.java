package io.failureledger.ingest;

import io.failureledger.event.Envelope;
import io.failureledger.event.Failure;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.event.Identity;
import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/**
 * How an event travels on the retry topic: key and value as they arrived, everything else in
 * headers. Error texts are cut short, so that no number of failures makes a record grow.
 */
public final class RetryRecord {
  public static final String FEED = "feed";
  public static final String EVENT_ID = "event-id";
  public static final String ATTEMPTS = "attempts";
  public static final String HEADERS = "event-headers";
  private static final String SOURCE = "event-source";
  private static final String TIME = "event-time";
  private static final String RECEIVED_AT = "event-received-at";
  private static final String ORDERING_KEY = "event-ordering-key";
  private static final String TARGET = "target";
  private static final String ERROR_TYPE = "error-type";
  private static final String ERROR_MESSAGE = "error-message";
  private static final String FINGERPRINT = "error-fingerprint";
  private static final int MAX_MESSAGE = 500;

  private RetryRecord() {}

  /** Makes this message the record; its Camel headers and body are replaced. */
  static void write(Message message, Envelope e, Failure failure, String target, int attempts) {
    message.removeHeaders("*");
    message.setBody(e.body());
    put(message, FEED, e.feed());
    put(message, EVENT_ID, e.eventId());
    put(message, ATTEMPTS, Integer.toString(attempts));
    put(message, HEADERS, HeaderJson.write(e.headers()));
    put(message, SOURCE, e.source());
    put(message, TIME, e.sourceTime() == null ? null : e.sourceTime().toString());
    put(message, RECEIVED_AT, e.receivedAt() == null ? null : e.receivedAt().toString());
    put(message, ORDERING_KEY, e.orderingKey());
    put(message, TARGET, TargetName.of(target));
    put(message, ERROR_TYPE, failure.type());
    put(message, ERROR_MESSAGE, Text.bounded(failure.message(), MAX_MESSAGE));
    put(message, FINGERPRINT, failure.fingerprint());
    if (e.key() != null) {
      message.setHeader(KafkaConstants.KEY, e.key());
    }
  }

  /**
   * Reads the event back. A record that something else wrote there, or wrote badly, is an event
   * too: what is missing falls back to the record's own coordinates.
   *
   * @param coordinates {@code kafka:topic/partition/offset} of this record
   */
  public static Envelope read(
      String feed, List<Header> headers, byte[] key, byte[] body, String coordinates) {
    byte[] id = Envelope.bytes(headers, EVENT_ID);
    String source = Envelope.lookUp(headers, SOURCE);
    return new Envelope(
        feed,
        id == null || id.length == 0 ? Identity.of(coordinates) : Identity.carried(id),
        source == null ? coordinates : source,
        null,
        null,
        null,
        null,
        time(Envelope.lookUp(headers, TIME)),
        time(Envelope.lookUp(headers, RECEIVED_AT)),
        Envelope.lookUp(headers, ORDERING_KEY),
        key,
        eventHeaders(headers),
        body);
  }

  public static Failure failure(List<Header> headers) {
    String type = Envelope.lookUp(headers, ERROR_TYPE);
    String message = Envelope.lookUp(headers, ERROR_MESSAGE);
    return new Failure(
        Text.bounded(type == null ? "unknown" : type, 200),
        Text.bounded(message == null ? "the retry record does not say" : message, MAX_MESSAGE),
        null,
        Text.bounded(Envelope.lookUp(headers, FINGERPRINT), 20));
  }

  public static String target(List<Header> headers) {
    return Envelope.lookUp(headers, TARGET);
  }

  /**
   * Failed replays that the record counts: at most all but the last attempt, so that it gets one; 0
   * when malformed.
   */
  public static int attempts(List<Header> headers, int policyAttempts) {
    String text = Envelope.lookUp(headers, ATTEMPTS);
    try {
      return text == null
          ? 0
          : Math.max(0, Math.min(Integer.parseInt(text.strip()), policyAttempts - 1));
    } catch (NumberFormatException malformed) {
      return 0;
    }
  }

  private static List<Header> eventHeaders(List<Header> headers) {
    byte[] json = Envelope.bytes(headers, HEADERS);
    if (json == null) {
      return headers.stream().filter(h -> HeaderRules.isData(h.name())).toList();
    }
    try {
      return HeaderJson.read(Text.of(json)).stream()
          .filter(h -> HeaderRules.isData(h.name()))
          .toList();
    } catch (IllegalArgumentException malformed) {
      return List.of(new Header(HEADERS, json));
    }
  }

  private static Instant time(String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException malformed) {
      return null;
    }
  }

  /**
   * As bytes: Camel would write text in the charset of the JVM, which not every JVM has as UTF-8.
   */
  private static void put(Message message, String name, String value) {
    if (value != null) {
      message.setHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
  }
}
