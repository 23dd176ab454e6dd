package io.failureledger.scenario;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic as a test uses it, by the plain Kafka clients. */
final class KafkaTopic implements AutoCloseable {
  private final String name;
  private final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(
          Map.of("bootstrap.servers", Servers.kafka().bootstrapServers(), "acks", "all"),
          new ByteArraySerializer(),
          new ByteArraySerializer());
  private final Admin admin =
      Admin.create(Map.of("bootstrap.servers", Servers.kafka().bootstrapServers()));

  KafkaTopic(String name) {
    this.name = name;
  }

  void send(String key, String value) {
    send(new ProducerRecord<>(name, bytes(key), bytes(value)));
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends without waiting until it is there. */
  @SuppressWarnings("FutureReturnValueIgnored") // a test that misses it fails
  void sendLater(ProducerRecord<byte[], byte[]> record) {
    producer.send(record);
  }

  ProducerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
    return new ProducerRecord<>(name, key, value);
  }

  /** Sends to one partition without waiting in between, and waits for all. */
  void sendAll(int partition, List<String> values) {
    values.forEach(
        value -> producer.send(new ProducerRecord<>(name, partition, null, bytes(value))));
    producer.flush();
  }

  /** Sends keys and values without waiting in between, and waits for all. */
  void sendKeyed(List<String[]> records) {
    records.forEach(
        record -> producer.send(new ProducerRecord<>(name, bytes(record[0]), bytes(record[1]))));
    producer.flush();
  }

  /** Members of the group that hold a partition. */
  long members(String group) {
    try {
      return admin
          .describeConsumerGroups(List.of(group))
          .all()
          .get(30, TimeUnit.SECONDS)
          .get(group)
          .members()
          .stream()
          .filter(member -> !member.assignment().topicPartitions().isEmpty())
          .count();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A group that nobody joined yet is not known to the broker. */
  void awaitMembers(String group, int atLeast) {
    await().atMost(60, TimeUnit.SECONDS).ignoreExceptions().until(() -> members(group) >= atLeast);
  }

  /** From now on the topic takes records up to this size. */
  void limitRecords(int bytes) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
    ConfigEntry limit = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
    try {
      admin
          .incrementalAlterConfigs(
              Map.of(topic, List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The group's committed offset on partition 0; 0 before the first commit. */
  long committed(String group) {
    return committed(group, 0);
  }

  long committed(String group, int partition) {
    return Math.max(0, committedOrNone(group, partition));
  }

  /** The group has committed all that was sent to partition 0, by this test or an earlier one. */
  boolean consumed(String group) {
    TopicPartition partition = new TopicPartition(name, 0);
    try {
      return committed(group)
          == admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get(30, TimeUnit.SECONDS)
              .offset();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All records of the topic, from its beginning to its end of now. */
  List<ConsumerRecord<byte[], byte[]>> all() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", Servers.kafka().bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(info -> new TopicPartition(name, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
      return records;
    }
  }

  static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  /** From now on the topic has this many partitions. */
  void growTo(int partitions) {
    try {
      admin
          .createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Deletes the records of partition 0 before this offset, as retention does. */
  void deleteBefore(long offset) {
    try {
      admin
          .deleteRecords(Map.of(new TopicPartition(name, 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The group's committed offset; -1 before the first commit. */
  long committedOrNone(String group, int partition) {
    try {
      OffsetAndMetadata offset =
          admin
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(30, TimeUnit.SECONDS)
              .get(new TopicPartition(name, partition));
      return offset == null ? -1 : offset.offset();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  void delete() {
    try {
      admin.deleteTopics(Set.of(name)).all().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
