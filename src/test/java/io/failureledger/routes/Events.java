package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import org.apache.camel.component.google.pubsub.GooglePubsubConstants;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Messages as the brokers' components hand them to a route, and rows as the ledger returns them.
 */
final class Events {
  static final byte[] RECEIPT =
      """
      {"receipt_id":"r1","user_id":"u1","shop":{"id":"s1","name":"Corner"},"purchased_at":"2026-03-01T10:00:00Z",
       "updated_at":"2026-03-01T10:00:00Z","total":"3.10","currency":"EUR",
       "items":[{"product_id":"p1","name":"Tea","quantity":1,"price":"3.10"}]}"""
          .getBytes(UTF_8);
  static final byte[] ORDER =
      "{\"id\":7,\"updated_at\":\"2026-03-01T10:00:00Z\",\"name\":\"#7\"}".getBytes(UTF_8);

  private Events() {}

  /** Headers of a consumed record: offset 3 of partition 0, with these record headers. */
  static Map<String, Object> record(String topic, String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    Map<String, Object> message = new HashMap<>();
    message.put(KafkaConstants.TOPIC, topic);
    message.put(KafkaConstants.PARTITION, 0);
    message.put(KafkaConstants.OFFSET, 3L);
    message.put(KafkaConstants.TIMESTAMP, 1_700_000_000_000L);
    message.put(KafkaConstants.KEY, "k1".getBytes(UTF_8));
    message.put(KafkaConstants.HEADERS, headers);
    return message;
  }

  /** Headers of a consumed Pub/Sub message about an order of a shop. */
  static Map<String, Object> orderMessage() {
    Map<String, Object> message = new HashMap<>();
    message.put(GooglePubsubConstants.MESSAGE_ID, "m1");
    message.put(
        GooglePubsubConstants.ATTRIBUTES,
        Map.of(
            "X-Shopify-Topic", "orders/create",
            "X-Shopify-Shop-Domain", "acme.myshopify.com",
            "X-Shopify-Webhook-Id", "w1",
            "secret-token", "not on the allow-list"));
    return message;
  }

  /** A row of claim-due about a receipt. */
  static Map<String, Object> claimed(long id, int failedReplays) {
    Map<String, Object> row = new HashMap<>();
    row.put("id", id);
    row.put("feed", "consumer-graph");
    row.put("event_id", "e" + id);
    row.put("retry_count", failedReplays);
    row.put("replays", failedReplays);
    row.put("claims", 1);
    row.put("lease_token", 10 + id);
    row.put("due_micros", 1_700_000_000_000_000L + id);
    row.put("source", "kafka:consumer-graph/0/" + id);
    row.put("headers", "[]");
    row.put("key", "k1".getBytes(UTF_8));
    row.put("body", RECEIPT);
    return row;
  }

  /** A row of advance-subjects: after so many rows of the subject there are so many left. */
  static Map<String, Object> advanced(String subject, long looked, long unresolved) {
    return Map.of(
        "feed", "consumer-graph",
        "subject", subject,
        "looked", looked,
        "unresolved", unresolved,
        "due", unresolved);
  }

  /** A row of claim-dead-letters about a receipt. */
  static Map<String, Object> marked(long id, byte[] body) {
    Map<String, Object> row = claimed(id, 10);
    row.put("user_id", "u1");
    row.put("reason", "exhausted");
    row.put("error_type", "java.io.IOException");
    row.put("failed_at_micros", 1_700_000_000_000_000L);
    row.put("body", body);
    return row;
  }

  /** A row of claim-users. */
  static Map<String, Object> user(String userId, String target) {
    return Map.of(
        "feed", "consumer-graph", "user_id", userId, "target", target, "failed_at", "2026-03-01");
  }
}
