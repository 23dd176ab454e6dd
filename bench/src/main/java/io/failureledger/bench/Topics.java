package io.failureledger.bench;

import io.failureledger.embedded.KafkaService;
import java.util.HashMap;
import java.util.Map;

/** One topic for each number of records, filled when first asked for. */
final class Topics {
  private final KafkaService kafka;
  private final Map<Integer, Topic> filled = new HashMap<>();

  Topics(KafkaService kafka) {
    this.kafka = kafka;
  }

  Topic of(int records) {
    return filled.computeIfAbsent(records, size -> Topic.filled(kafka, "bench-" + size, size));
  }
}
