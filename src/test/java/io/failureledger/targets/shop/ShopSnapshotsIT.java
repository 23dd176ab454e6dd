package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.ORDER;
import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.order;
import static io.failureledger.targets.shop.Bodies.sample;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShopSnapshotsIT extends SnapshotsOnPostgres {
  private static String delete(String triggeredAt) throws Exception {
    return shopify.reason(sample("orders-delete"), headers("orders/delete", SHOP, triggeredAt));
  }

  private static String price() throws SQLException {
    return one("select total_price from orders where id = " + ORDER);
  }

  @Test
  void everySampleIsKeptValueForValueInATableThatWasAbsent() throws Exception {
    for (String table : List.of("orders-create", "products-update", "customers-update")) {
      String resource = table.replaceFirst("-.*", "");
      assertThat(shopify.reason(sample(table), headers(table.replace('-', '/'), SHOP))).isNull();
      String stored = one("select snapshot from " + resource);
      assertThat(stored).isEqualTo(new String(sample(table), UTF_8));
      assertThat(new ObjectMapper().readTree(stored))
          .isEqualTo(new ObjectMapper().readTree(sample(table)));
    }
    assertThat(one("select id from orders")).isEqualTo(String.valueOf(ORDER));
    assertThat(one("select snapshot ->> 'total_price' from orders")).isEqualTo("254.98");
    assertThat(one("select snapshot #>> '{variants,0,weight}' from products")).isEqualTo("200.0");
    assertThat(one("select total_spent || ' ' || orders_count || ' ' || state from customers"))
        .isEqualTo("120.00 3 enabled");
    assertThat(one("select source_time at time zone 'UTC' from customers"))
        .isEqualTo("2026-01-20 18:01:46");
    assertThat(one("select created_at from products")).isNull();
    assertThat(one("select event_id from orders")).isEqualTo(SHOP + "/w-1");
  }

  @Test
  void anOlderSnapshotNeverReplacesANewerOne() throws Exception {
    assertThat(update("2026-03-02T10:00:00+02:00", "20.00")).isNull();
    assertThat(update("2026-03-02T07:59:59Z", "10.00")).isEqualTo("superseded");
    assertThat(price()).isEqualTo("20.00");
    assertThat(update("2026-03-02T08:00:01Z", "30.00")).isNull();
    assertThat(price()).isEqualTo("30.00");
  }

  @Test
  void theSameEventTwiceIsDeliveredTwiceAndChangesNothing() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    String before = one("select orders::text from orders");
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    assertThat(one("select orders::text from orders")).isEqualTo(before);
  }

  @Test
  void ofTwoSnapshotsOfOneSecondTheOneTriggeredLaterWins() throws Exception {
    String second = "2026-03-02T08:00:00Z";
    String topic = "orders/updated";
    assertThat(
            shopify.reason(
                order(ORDER, second, "2.00"), headers(topic, SHOP, "2026-03-02T08:00:00.9Z")))
        .isNull();
    assertThat(
            shopify.reason(
                order(ORDER, second, "1.00"), headers(topic, SHOP, "2026-03-02T08:00:00.1Z")))
        .isEqualTo("superseded");
    assertThat(price()).isEqualTo("2.00");
  }

  @Test
  void aLateOlderUpdateDoesNotBringADeletedOrderBack() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    assertThat(delete("2026-03-02T09:00:00.123456789Z")).isNull();
    assertThat(update("2026-03-02T08:30:00Z", "30.00")).isEqualTo("superseded");
    assertThat(update("2026-03-02T09:00:00.123456Z", "31.00")).isEqualTo("superseded");
    assertThat(one("select deleted_at at time zone 'UTC' || ' ' || total_price from orders"))
        .isEqualTo("2026-03-02 09:00:00.123456 20.00");
  }

  @Test
  void aDeleteOlderThanTheSnapshotChangesNothing() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    assertThat(delete("2026-03-02T07:00:00Z")).isEqualTo("superseded");
    assertThat(one("select deleted_at from orders")).isNull();
  }

  @Test
  void aTombstoneOfAnUnknownOrderIsKeptAndBeatsItsLateCreation() throws Exception {
    assertThat(delete("2026-03-02T09:00:00Z")).isNull();
    assertThat(delete("2026-03-02T09:00:00Z")).isNull();
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isEqualTo("superseded");
    assertThat(one("select deleted_at is not null and snapshot is null from orders"))
        .isEqualTo("t");
  }
}
