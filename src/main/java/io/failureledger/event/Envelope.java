package io.failureledger.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * An event once read: what it is, where it came from and its bytes, exactly as they arrived. It is
 * made once, at ingest, and travels with the event through ledger, retry topic and dead-letter
 * topic; a replay gets an equal one back.
 *
 * @param feed the configured feed that consumed it
 * @param eventId its identity, and so its idempotency key: equal for every delivery and every
 *     replay of this event
 * @param source where it came from: {@code kafka:topic/partition/offset} or {@code
 *     pubsub:subscription/message-id}
 * @param type what happened, for example {@code orders/create}; null when unknown
 * @param tenant the shop domain, or whatever the feed's tenant is; null when unknown
 * @param subject what it is about; events of one subject are in order at their source
 * @param userId the user whose backfill cures its loss; null when unknown
 * @param sourceTime when it happened, by the source's clock; null when unknown
 * @param receivedAt when it was first received, by the clock of the ledger or of Pub/Sub, in whole
 *     microseconds: what its own times are compared with; null when unknown
 * @param orderingKey the Pub/Sub ordering key
 * @param key the Kafka key; null stays null
 * @param headers the allow-listed headers, in their order, repeats included
 * @param body the raw bytes; null (a tombstone) stays null
 */
public record Envelope(
    String feed,
    String eventId,
    String source,
    String type,
    String tenant,
    String subject,
    String userId,
    Instant sourceTime,
    Instant receivedAt,
    String orderingKey,
    byte[] key,
    List<Header> headers,
    byte[] body) {

  public Envelope {
    Objects.requireNonNull(feed, "feed");
    Objects.requireNonNull(eventId, "eventId");
    Objects.requireNonNull(source, "source");
    headers = List.copyOf(headers);
  }

  /** The text of the last header of this name; null without one. */
  public static String lookUp(List<Header> headers, String name) {
    return Text.of(bytes(headers, name));
  }

  /**
   * The value of the last header of this name, compared without case and with or without a leading
   * {@code X-}; null without one.
   */
  public static byte[] bytes(List<Header> headers, String name) {
    for (int i = headers.size() - 1; i >= 0; i--) {
      if (isNamed(headers.get(i).name(), name)) {
        return headers.get(i).value();
      }
    }
    return null;
  }

  private static boolean isNamed(String header, String name) {
    int from = bareFrom(header);
    int wantedFrom = bareFrom(name);
    int length = name.length() - wantedFrom;
    return header.length() - from == length
        && header.regionMatches(true, from, name, wantedFrom, length);
  }

  private static int bareFrom(String name) {
    return name.regionMatches(true, 0, "x-", 0, 2) ? 2 : 0;
  }

  /** The same event under another identity. */
  public Envelope withEventId(String other) {
    return new Envelope(
        feed,
        other,
        source,
        type,
        tenant,
        subject,
        userId,
        sourceTime,
        receivedAt,
        orderingKey,
        key,
        headers,
        body);
  }
}
