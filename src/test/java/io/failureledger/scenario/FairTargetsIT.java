package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.PostgresService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ten shops of which one is away and one slow. In the gate the slow one answers nothing until the
 * eight others are done. {@code -Dfair.events=100000} lets it answer in 5 s, and says the rates.
 */
@Timeout(1800)
class FairTargetsIT {
  private static final Logger LOG = LoggerFactory.getLogger(FairTargetsIT.class);
  private static final int GATE_EVENTS = 1000;
  private static final int EVENTS = Integer.getInteger("fair.events", GATE_EVENTS);
  private static final boolean IS_GATE = EVENTS <= GATE_EVENTS;
  private static final int SHOPS = 10;
  private static final int SLOW = 8;
  private static final int AWAY = 9;

  /** One at ingest and one at replay, of eight threads each. */
  private static final int MOST_AT_ONCE = 2;

  private final List<LedgerView> shops = new ArrayList<>();
  private int webhooks;

  private static Site site() {
    Site site = new Site("shopify");
    site.set("pubsub.endpoint", Servers.pubSub().endpoint()).set("pubsub.credentials", "none");
    site.set("shopify.subscription", site.name);
    if (IS_GATE) {
      // A busy machine makes none of the eight slow, and the slow one is not cut off.
      site.set("target.slow", "3s").set("target.busy.max", "2s");
      site.set("shopify.statement.timeout", "80s").set("handler.timeout", "90s");
      site.set("replay.lease", "5m").set("breaker.share", "0");
    }
    return site;
  }

  private void connect(Site site) {
    for (int shop = 0; shop < SHOPS; shop++) {
      String database = site.name + "_shop" + shop;
      Servers.postgres().createDatabase(database);
      String url = Servers.postgres().jdbcUrl(database);
      shops.add(new LedgerView(url));
      site.ledger.run(
          "insert into shop_connection (shop_domain, organization_id) values ('%s', 'o%d')"
              .formatted(domain(shop), shop));
      site.ledger.run(
          "insert into target_database (organization_id, jdbc_url) values ('o%d', '%s')"
              .formatted(shop, shop == AWAY ? "jdbc:postgresql://localhost:1/away" : url));
    }
    site.ledger.run(
        "insert into target_credential (target_database_id, username, password) select id, '%s', 'x' from target_database"
            .formatted(PostgresService.USER));
  }

  private static String domain(int shop) {
    return "shop" + shop + ".example";
  }

  /** So many events, one shop after the other. */
  private List<PubsubMessage> events(int events, int... of) {
    return IntStream.range(0, events).mapToObj(number -> event(of[number % of.length])).toList();
  }

  private PubsubMessage event(int shop) {
    int number = ++webhooks;
    String body =
        "{\"id\":%d,\"updated_at\":\"2026-03-02T08:00:00Z\",\"total_price\":\"1.00\",\"name\":\"#1\"}";
    return PubsubMessage.newBuilder()
        .setData(ByteString.copyFromUtf8(body.formatted(number)))
        .putAllAttributes(
            Map.of(
                "X-Shopify-Topic",
                "orders/create",
                "X-Shopify-Shop-Domain",
                domain(shop),
                "X-Shopify-Webhook-Id",
                "w" + number))
        .build();
  }

  private long delivered(int shop) {
    return shops.get(shop).<Long>value("select count(*) from orders");
  }

  /** Of the eight that are well. */
  private long delivered() {
    return IntStream.range(0, SLOW).mapToLong(this::delivered).sum();
  }

  /** Sends them and returns how many a second the eight got. */
  private double rate(PubSubTopic topic, List<PubsubMessage> events, int ofTheEight, Runnable look)
      throws Exception {
    long before = delivered();
    long started = System.nanoTime();
    topic.publish(events);
    await()
        .atMost(IS_GATE ? 60 : 600, SECONDS)
        .pollInterval(100, MILLISECONDS)
        .until(
            () -> {
              look.run();
              return delivered() == before + ofTheEight;
            });
    return ofTheEight / ((System.nanoTime() - started) / 1e9);
  }

  /** A transaction on the slow shop's orders waits for the lock of the test, and then some time. */
  private void slowDown(double seconds) {
    shops
        .get(SLOW)
        .run(
            ("create function slow() returns trigger language plpgsql as $$ begin"
                    + " if current_setting('slow.at', true) is distinct from pg_current_xact_id()::text then"
                    + " perform set_config('slow.at', pg_current_xact_id()::text, true);"
                    + " perform pg_advisory_lock_shared(1); perform pg_advisory_unlock_shared(1);"
                    + " perform pg_sleep(%s); end if; return null; end $$;"
                    + " create trigger slow before insert on orders for each statement execute function slow()")
                .formatted(seconds));
  }

  private long atOnce(Site site) {
    return site.ledger.<Long>value(
        "select count(*) from pg_stat_activity where datname = ? and state = 'active' and query ilike '%insert into%orders%'",
        site.name + "_shop" + SLOW);
  }

  private static String target(int shop) {
    return "target = 'shop:" + domain(shop) + "'";
  }

  @Test
  void aSlowShopAndOneThatIsAwayDelayNoOther() throws Exception {
    int[] well = IntStream.range(0, SLOW).toArray();
    int[] all = IntStream.range(0, SHOPS).toArray();
    int each = EVENTS / SHOPS;
    long[] most = {0};
    try (Site site = site();
        PubSubTopic topic = new PubSubTopic(site)) {
      connect(site);
      Main tables = site.start();
      topic.publish(events(SLOW + 1, IntStream.rangeClosed(0, SLOW).toArray()));
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(delivered()).isEqualTo(SLOW);
      site.stop(tables);
      slowDown(IS_GATE ? 0.2 : 5);
      site.start();
      rate(topic, events(SLOW, well), SLOW, () -> {});
      double alone = rate(topic, events(each * SLOW, well), each * SLOW, () -> {});

      if (IS_GATE) {
        shops.get(SLOW).rows("select pg_advisory_lock(1)::text");
      }
      double beside =
          rate(
              topic,
              events(each * SHOPS, all),
              each * SLOW,
              () -> most[0] = Math.max(most[0], atOnce(site)));
      LOG.info(
          "the eight alone {}/s, beside the two {}/s: {} of it; {} rows busy, {} of the shop that is away; at most {} at once",
          Math.round(alone),
          Math.round(beside),
          Math.round(100 * beside / alone) / 100.0,
          site.ledger.count("reason = 'busy'"),
          site.ledger.count(target(AWAY)),
          most[0]);
      if (IS_GATE) {
        assertThat(delivered(SLOW)).as("the slow shop has answered nothing").isOne();
        await().atMost(60, SECONDS).until(() -> site.ledger.count("reason = 'busy'") > 0);
        assertThat(atOnce(site)).isBetween(1L, (long) MOST_AT_ONCE);
        shops.get(SLOW).rows("select pg_advisory_unlock(1)");
      }
      await()
          .atMost(IS_GATE ? 60 : 900, SECONDS)
          .pollInterval(100, MILLISECONDS)
          .until(() -> delivered(SLOW) == 1 + each); // by itself it may have all threads
      assertThat(most[0]).isLessThanOrEqualTo(MOST_AT_ONCE);
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      await()
          .atMost(60, SECONDS)
          .until(() -> site.ledger.count(target(SLOW) + " and status <> 'resolved'") == 0);
      assertThat(site.ledger.count(target(SLOW))).as("events that had to wait").isPositive();
      assertThat(site.ledger.count(target(SLOW) + " and (retry_count <> 0 or replays <> 1)"))
          .isZero();
      assertThat(site.ledger.count(target(AWAY) + " and error_class = 'pause'")).isEqualTo(each);
      assertThat(site.ledger.count(target(AWAY) + " and reason = 'busy'")).isZero();
      assertThat(
              site.ledger.<Long>value(
                  "select count(*) from breaker where target <> 'shop:shop9.example'"))
          .isZero();
    } finally {
      shops.forEach(LedgerView::close);
    }
  }
}
