package io.failureledger.distribution;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.scenario.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Receipts and orders, some of them broken, a handful each tick until stopped. Remembers what the
 * brokers took.
 */
final class Traffic implements AutoCloseable {
  private static final int EACH_TICK = 3;
  private static final long TICK_MILLIS = 100;
  private static final int BURST = 400;

  private final Plant plant;
  private final KafkaProducer<String, String> producer =
      new KafkaProducer<>(
          Map.of("bootstrap.servers", Servers.kafka().bootstrapServers(), "acks", "all"),
          new StringSerializer(),
          new StringSerializer());
  private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
  private final Set<String> published = ConcurrentHashMap.newKeySet();
  private volatile Throwable failure;
  private final AtomicInteger allowed = new AtomicInteger();
  private int number;

  Traffic(Plant plant) {
    this.plant = plant;
  }

  void start() {
    ticks.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** So many more at most: where the bundle is slow, what it has to catch up with stays small. */
  void goOn() {
    allowed.addAndGet(BURST);
  }

  private void tick() {
    if (number + EACH_TICK > allowed.get()) {
      return;
    }
    try {
      List<PubsubMessage> orders = new ArrayList<>();
      List<String> names = new ArrayList<>();
      for (int i = 0; i < EACH_TICK; i++) {
        int n = ++number;
        receipt(n);
        orders.add(order(n));
        names.add("order-" + n);
      }
      producer.flush();
      plant.pubSub.publish(plant.topic, orders);
      published.addAll(names);
    } catch (Exception e) {
      failure = e;
      ticks.shutdown();
    }
  }

  private void receipt(int n) {
    String id = plant.name + "-receipt-" + n;
    String total = n % 20 == 0 ? "twelve" : "12.30";
    String body =
        """
        {"receipt_id":"%s","user_id":"%s-u%d","shop":{"id":"s1","name":"Shop"},"purchased_at":"2026-11-01T10:00:00Z",
         "updated_at":"2026-11-01T10:00:00Z","total":"%s","currency":"EUR",
         "items":[{"product_id":"p%d","name":"Thing","quantity":1,"price":"12.30"}]}"""
            .formatted(id, plant.name, n % 50, total, n % 10);
    ProducerRecord<String, String> record = new ProducerRecord<>(plant.name, "u" + n % 50, body);
    record.headers().add("event-id", id.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    producer.send(
        record,
        (meta, e) -> {
          if (e == null) {
            published.add(id);
          } else {
            failure = e;
          }
        });
  }

  private static PubsubMessage order(int n) {
    String shop = Plant.SHOP;
    String body =
        n % 20 == 0
            ? "{\"id\":" + n + ",\"total_price\":{}}"
            : "{\"id\":"
                + n
                + ",\"updated_at\":\"2026-11-01T10:00:00+02:00\",\"total_price\":\"1.00\"}";
    return PubsubMessage.newBuilder()
        .setData(ByteString.copyFromUtf8(body))
        .putAttributes("X-Shopify-Topic", "orders/create")
        .putAttributes("X-Shopify-Shop-Domain", shop)
        .putAttributes("X-Shopify-Webhook-Id", "w" + n)
        .build();
  }

  void stop() throws InterruptedException {
    ticks.shutdown();
    if (!ticks.awaitTermination(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the traffic did not stop");
    }
    producer.flush();
    if (failure != null) {
      throw new IllegalStateException("the traffic failed", failure);
    }
  }

  Set<String> published() {
    return published;
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    producer.close();
  }
}
