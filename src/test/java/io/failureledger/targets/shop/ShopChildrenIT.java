package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.ORDER;
import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.orderOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.targets.shop.SnapshotWriter.Result;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An order's line items follow its version. */
class ShopChildrenIT extends SnapshotsOnPostgres {
  private static final String NINE = "2026-03-02T09:00:00Z";
  private static final String TEN = "2026-03-02T10:00:00Z";
  private static final String ELEVEN = "2026-03-02T11:00:00Z";

  private static String write(byte[] body) throws Exception {
    return shopify.reason(body, headers("orders/updated", SHOP));
  }

  private static String write(String body) throws Exception {
    return write(body.getBytes(UTF_8));
  }

  private static String items(long order) throws SQLException {
    return one(
        "select string_agg(id || ' ' || price, ', ' order by id) from order_line_items where order_id = "
            + order);
  }

  private static SnapshotWriter writer() {
    return new SnapshotWriter(targets, Bodies.TOLERANCE);
  }

  @Test
  void aLineItemThatTheNewerOrderNoLongerHasIsGone() throws Exception {
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isNull();
    assertThat(write(orderOf(7, NINE, 5, List.of(1L, 2L)))).isNull();
    assertThat(write(orderOf(ORDER, TEN, 2, List.of(2L, 3L)))).isNull();
    assertThat(items(ORDER)).isEqualTo("2 2.00, 3 2.00");
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isEqualTo("superseded");
    assertThat(items(ORDER)).isEqualTo("2 2.00, 3 2.00");
    assertThat(write(orderOf(ORDER, TEN, 2, List.of(2L, 3L)))).isNull();
    assertThat(items(ORDER)).isEqualTo("2 2.00, 3 2.00");
    assertThat(items(7)).isEqualTo("1 5.00, 2 5.00");
  }

  @Test
  void anOrderThatDoesNotSayItsLineItemsKeepsThemAndOneThatSaysNoneHasNone() throws Exception {
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isNull();
    assertThat(write("{\"id\":%d,\"updated_at\":\"%s\"}".formatted(ORDER, TEN))).isNull();
    assertThat(items(ORDER)).isEqualTo("1 1.00, 2 1.00");
    assertThat(write(orderOf(ORDER, TEN, 1, List.of()))).isNull();
    assertThat(items(ORDER)).isNull();
    assertThat(write(orderOf(ORDER, TEN, 1, List.of(1L)))).isNull();
    assertThat(
            write("{\"id\":%d,\"updated_at\":\"%s\",\"line_items\":null}".formatted(ORDER, ELEVEN)))
        .isNull();
    assertThat(items(ORDER)).isNull();
  }

  @Test
  void ofAListThatShopifyMayHaveCutNoVariantIsTakenForGone() throws Exception {
    assertThat(product(NINE, IntStream.rangeClosed(1, 99))).isNull();
    assertThat(product(TEN, IntStream.rangeClosed(51, 150))).isNull();
    assertThat(one("select count(*) from product_variants")).isEqualTo("150");
    assertThat(product(ELEVEN, IntStream.rangeClosed(1, 99))).isNull();
    assertThat(one("select count(*) from product_variants")).isEqualTo("99");
  }

  private String product(String updated, IntStream variants) throws Exception {
    String all = variants.mapToObj(id -> "{\"id\":" + id + "}").collect(Collectors.joining(","));
    String body = "{\"id\":1,\"updated_at\":\"%s\",\"variants\":[%s]}".formatted(updated, all);
    return shopify.reason(body.getBytes(UTF_8), headers("products/update", SHOP));
  }

  @Test
  void aFieldThatALineItemLacksKeepsItsColumnAndNullEmptiesIt() throws Exception {
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isNull();
    String later =
        "{\"id\":%d,\"updated_at\":\"%s\",\"line_items\":[{\"id\":1,\"sku\":null},{\"id\":2,\"title\":\"\\ud83d\"}]}";
    assertThat(write(later.formatted(ORDER, TEN))).isNull();
    assertThat(
            one(
                "select string_agg(concat_ws(' ', id, price, sku, title), ', ' order by id) from order_line_items"))
        .isEqualTo("1 1.00, 2 1.00 s2 \uFFFD");
  }

  @Test
  void aTombstoneTakesTheLineItemsWithIt() throws Exception {
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isNull();
    byte[] id = Bodies.id(ORDER);
    assertThat(shopify.reason(id, headers("orders/delete", SHOP, "2026-03-02T08:00:00Z")))
        .isEqualTo("superseded");
    assertThat(items(ORDER)).isEqualTo("1 1.00, 2 1.00");
    assertThat(shopify.reason(id, headers("orders/delete", SHOP, TEN))).isNull();
    assertThat(items(ORDER)).isNull();
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L, 2L)))).isEqualTo("superseded");
    assertThat(items(ORDER)).isNull();
  }

  /** In one statement of both parts the second writer would not see the item 3, and leave it. */
  @Test
  void aWriterThatWaitedForAnotherSeesTheLineItemsThatTheOtherWrote() throws Exception {
    assertThat(write(orderOf(ORDER, NINE, 1, List.of(1L)))).isNull();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    TargetLimits patient =
        new TargetLimits(
            1, 1, Duration.ofSeconds(30), Duration.ofMinutes(4), Duration.ofMinutes(5));
    try (ShopTargets own = new ShopTargets(postgres.ledger(), patient);
        Handlers handlers = TargetPostgres.handlers(own);
        Connection other = target.getConnection();
        Statement first = other.createStatement()) {
      other.setAutoCommit(false);
      first.execute("update orders set source_time = '%s'".formatted(TEN));
      first.execute(
          "insert into order_line_items (shop_domain, order_id, id, price) values ('%s', %d, 3, 3)"
              .formatted(SHOP, ORDER));
      Future<String> second =
          threads.submit(
              () ->
                  handlers.reason(
                      orderOf(ORDER, ELEVEN, 2, List.of(1L, 2L)), headers("orders/paid", SHOP)));
      Awaitility.await()
          .atMost(30, SECONDS)
          .until(
              () ->
                  "1"
                      .equals(
                          one(
                              "select count(*) from pg_stat_activity"
                                  + " where datname = current_database() and wait_event_type = 'Lock'")));
      other.commit();
      assertThat(second.get()).isNull();
    } finally {
      threads.shutdown();
    }
    assertThat(items(ORDER)).isEqualTo("1 2.00, 2 2.00");
  }

  @Test
  void aThousandLineItemsAreReplacedByAThousandOthers() throws Exception {
    for (int round = 0; round < 3; round++) {
      List<Long> items = LongStream.range(round * 500L, round * 500L + 1_000).boxed().toList();
      assertThat(write(orderOf(ORDER, "2026-03-02T1%d:00:00Z".formatted(round), round, items)))
          .isNull();
      assertThat(
              one(
                  "select count(*) || ' from ' || min(id) || ' at ' || min(price) from order_line_items"))
          .isEqualTo("1000 from " + round * 500 + " at " + round + ".00");
    }
  }

  @Test
  void aListIsWrittenAsIfEachCameAlone() throws Exception {
    List<Snapshot> list = new ArrayList<>();
    list.add(order(1, TEN, 2, List.of(1L)));
    list.add(order(2, NINE, 1, List.of()));
    list.add(order(1, NINE, 1, List.of(9L)));
    list.add(order(1, TEN, 2, List.of(1L)));
    list.add(Bodies.snapshot(Bodies.id(2), headers("orders/delete", SHOP, ELEVEN)));
    list.add(order(2, TEN, 3, List.of(8L)));
    list.add(
        Bodies.snapshot(
            Bodies.sample("products-update"), headers("products/update", "other.example")));
    assertThat(writer().write(targets.find(SHOP), list))
        .containsExactly(
            Result.WRITTEN,
            Result.WRITTEN,
            Result.SUPERSEDED,
            Result.WRITTEN,
            Result.WRITTEN,
            Result.SUPERSEDED,
            Result.WRITTEN);
    assertThat(items(1)).isEqualTo("1 2.00");
    assertThat(items(2)).isNull();
    assertThat(one("select price from product_variants where shop_domain = 'other.example'"))
        .isEqualTo("19.99");
  }

  @Test
  void aListOfWhichOneIsRefusedIsNotWrittenAtAll() throws Exception {
    assertThat(write(orderOf(1, NINE, 1, List.of(1L)))).isNull();
    TargetPostgres.run(target, "alter table order_line_items alter column sku type varchar(2)");
    List<Snapshot> list =
        List.of(order(1, TEN, 2, List.of(2L)), order(2, TEN, 2, List.of(4L, 999L)));
    assertThatThrownBy(() -> writer().write(targets.find(SHOP), list))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22001"))
        .hasMessageNotContaining("insert into");
    assertThat(items(1)).isEqualTo("1 1.00");
    assertThat(one("select count(*) from orders")).isEqualTo("1");
    assertThat(writer().write(targets.find(SHOP), list.subList(0, 1)))
        .containsExactly(Result.WRITTEN);
  }

  private static Snapshot order(long id, String updatedAt, int price, List<Long> items) {
    return Bodies.snapshot(orderOf(id, updatedAt, price, items), headers("orders/paid", SHOP));
  }
}
