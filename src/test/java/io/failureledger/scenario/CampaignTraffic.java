package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The records of a campaign, named {@code key:number}; the numbers of a key grow by one. Each is
 * noted before it is sent.
 */
final class CampaignTraffic implements AutoCloseable {
  static final String ORDERED = "probe";
  static final String SHOPS = "probe-shops";
  private static final int KEYS = 150;
  private static final int SHOP_COUNT = 8;
  private static final long PERIOD_MILLIS = 50;

  private final KafkaTopic ordered;
  private final KafkaTopic shops;
  private final int perPeriod;
  private final SplittableRandom random;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Queue<String>> sent =
      Map.of(ORDERED, new ConcurrentLinkedQueue<>(), SHOPS, new ConcurrentLinkedQueue<>());
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param perSecond records of each feed
   */
  CampaignTraffic(KafkaTopic ordered, KafkaTopic shops, long seed, int perSecond) {
    this.ordered = ordered;
    this.shops = shops;
    this.random = new SplittableRandom(seed + 1);
    this.perPeriod = (int) Math.max(1, perSecond * PERIOD_MILLIS / 1_000);
  }

  static String shop(int pick) {
    return "shop" + pick % SHOP_COUNT;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // end() says what failed
  void begin() {
    thread.scheduleAtFixedRate(this::send, 0, PERIOD_MILLIS, MILLISECONDS);
  }

  private void send() {
    for (int i = 0; i < perPeriod; i++) {
      // Few keys have many events, so that they queue up.
      int key = random.nextInt(4) == 0 ? random.nextInt(8) : random.nextInt(KEYS);
      ordered.sendLater(next(ordered, ORDERED, "k" + key));
      String shop = shop(random.nextInt(SHOP_COUNT));
      ProducerRecord<byte[], byte[]> record = next(shops, SHOPS, shop);
      record.headers().add("shop", KafkaTopic.bytes(shop));
      shops.sendLater(record);
    }
  }

  private ProducerRecord<byte[], byte[]> next(KafkaTopic topic, String feed, String key) {
    String number = Integer.toString(numbers.merge(feed + key, 1, Integer::sum));
    sent.get(feed).add(key + ":" + number);
    return topic.record(KafkaTopic.bytes(key), KafkaTopic.bytes(number));
  }

  /** Sends no more; what was sent is at the broker. */
  void end() throws InterruptedException {
    thread.shutdown();
    if (!thread.awaitTermination(30, SECONDS)) {
      throw new IllegalStateException("the traffic does not end");
    }
    ordered.sendKeyed(List.of());
    shops.sendKeyed(List.of());
  }

  Queue<String> sent(String feed) {
    return sent.get(feed);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
