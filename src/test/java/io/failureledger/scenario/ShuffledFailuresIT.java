package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.ingest.Park;
import io.failureledger.targets.shop.OrderVersions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Versions of orders by way of the broker, shuffled, three times each, while the target refuses
 * half of them. {@code -Dshop.events=100000} sends more, {@code -Dshop.seed=7} another shuffle.
 * Each event has a transaction of its own, so the gate sends 5 000: that takes half a minute.
 */
@Timeout(1800)
class ShuffledFailuresIT {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ShuffledFailuresIT.class);
  private static final int EVENTS = Integer.getInteger("shop.events", 5_000);

  /** Each event is of one half, whatever copy of it comes. */
  private static final String REFUSE_HALF =
      """
      create function refuse() returns trigger language plpgsql as $$ begin
        raise exception 'not now';
      end $$;
      create trigger refuse before insert or update on orders
      for each row when (hashtext(new.event_id) % 2 = 0) execute function refuse()""";

  private static List<PubsubMessage> threeTimesShuffled(OrderVersions versions, Random random) {
    List<PubsubMessage> all = new ArrayList<>();
    for (OrderVersions.Version version : versions.all()) {
      PubsubMessage message =
          PubSubTopic.message(
              version.body(),
              Shops.attributes(
                  Shops.SHOP, version.topic(), "v" + all.size(), version.triggeredAt()));
      all.addAll(Collections.nCopies(3, message));
    }
    Collections.shuffle(all, random);
    return all;
  }

  @Test
  void eachOrderEndsAsItsNewestSnapshotWithExactlyItsLineItems() throws Exception {
    Random random = new Random(Long.getLong("shop.seed", 1));
    OrderVersions versions = new OrderVersions(EVENTS, random);
    List<PubsubMessage> messages = threeTimesShuffled(versions, random);
    Logger parking = (Logger) LoggerFactory.getLogger(Park.class);
    parking.setLevel(Level.WARN);
    try (Shops shops = new Shops("breaker.share=0", "policy.ledger.base=1s")) {
      // Its tables are there, and the order is not one of theirs.
      shops.order("{\"id\":-1,\"updated_at\":\"2026-03-02T08:00:00Z\"}");
      shops.target.run("delete from orders");
      shops.target.run(REFUSE_HALF);

      long begun = System.nanoTime();
      shops.topic.publishAll(messages);
      long published = System.nanoTime();
      await().atMost(1500, SECONDS).until(() -> shops.topic.unacknowledged() == 0);
      long ingested = System.nanoTime();
      // A copy may be delivered twice, and on a busy machine one of the other half may fail too.
      long parked = shops.site.ledger.count("status = 'pending' and occurrences >= 3");
      assertThat(parked).isBetween(EVENTS * 4L / 10, EVENTS * 6L / 10);
      assertThat(shops.site.ledger.count("status <> 'pending'")).isZero();

      shops.target.run("drop trigger refuse on orders");
      shops.site.ledger.run("update failed_event set next_retry_at = now()");
      await()
          .atMost(600, SECONDS)
          .until(() -> shops.site.ledger.count("status <> 'resolved'") == 0);
      long replayed = System.nanoTime();
      LOG.info(
          "{} events: {} messages published in {} s and ingested in {} s, {} parked, replayed in {} s",
          EVENTS,
          messages.size(),
          (published - begun) / 1e9,
          (ingested - begun) / 1e9,
          parked,
          (replayed - ingested) / 1e9);
      try (Connection target =
          DriverManager.getConnection(Servers.postgres().jdbcUrl(shops.site.name + "_shop"))) {
        assertThat(OrderVersions.at(target)).isEqualTo(versions.newest());
      }
    } finally {
      parking.setLevel(null);
    }
  }
}
