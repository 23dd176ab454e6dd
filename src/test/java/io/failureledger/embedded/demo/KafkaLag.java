package io.failureledger.embedded.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Records of a topic that a group has not committed, by the broker's word. */
final class KafkaLag implements AutoCloseable {
  private static final long CALL_SECONDS = 30;

  private final Admin admin;

  KafkaLag(String brokers) {
    admin = Admin.create(Map.of("bootstrap.servers", brokers));
  }

  long of(String topic, int partitions, String group) throws InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, partitions)
            .mapToObj(i -> new TopicPartition(topic, i))
            .collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
    Map<TopicPartition, OffsetAndMetadata> committed =
        new HashMap<>(await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()));
    long lag = 0;
    for (var end : await(admin.listOffsets(ends).all()).entrySet()) {
      OffsetAndMetadata offset = committed.get(end.getKey());
      lag += end.getValue().offset() - (offset == null ? 0 : offset.offset());
    }
    return lag;
  }

  private static <T> T await(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka does not tell a group's lag", e);
    }
  }

  @Override
  public void close() {
    admin.close(java.time.Duration.ofSeconds(2));
  }
}
