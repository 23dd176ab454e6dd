package io.failureledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.scenario.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class KafkaServiceIT {

  @Test
  void acknowledgedRecordsSurviveAKill() throws Exception {
    try (ForkedService service =
        ForkedService.start(ServiceProcess.Name.kafka, ServiceOptions.temporary())) {
      KafkaService.createTopic(service.address(), "kept", 3);
      produce(service.address(), "kept", 100);

      service.kill();
      service.restart();

      assertThat(consume(service.address(), "kept", 100))
          .hasSize(100)
          .contains("value-0", "value-99");
    }
  }

  @Test
  void topicsAreCreatedByNameOnly() throws Exception {
    KafkaService kafka = Servers.kafka();
    kafka.createTopic("events", 2);
    kafka.createTopic("events", 2);
    produce(kafka.bootstrapServers(), "events", 1);
    assertThat(consume(kafka.bootstrapServers(), "events", 1)).containsExactly("value-0");

    kafka.deleteTopic("events");
    kafka.createTopic("events", 5);
  }

  private static void produce(String servers, String topic, int count) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", servers, "acks", "all");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < count; i++) {
        producer
            .send(new ProducerRecord<>(topic, "key-" + i, "value-" + i))
            .get(30, TimeUnit.SECONDS);
      }
    }
  }

  private static List<String> consume(String servers, String topic, int count) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", servers, "group.id", "g", "auto.offset.reset", "earliest");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(r -> values.add(r.value()));
                return values.size() >= count;
              });
    }
    return values;
  }
}
