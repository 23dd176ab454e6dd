package io.failureledger.targets.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Versions of some orders, 20 of each: all but the last are updates, and every seventh order ends
 * deleted. Each version has line items of its own. They are in the order of their times.
 */
public final class OrderVersions {
  private static final int OF_ONE_ORDER = 20;
  private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");

  private final List<Version> all = new ArrayList<>();
  private final Map<Long, String> newest = new TreeMap<>();

  /**
   * What happened to an order.
   *
   * @param triggeredAt null but for a delete, whose body says no time
   */
  public record Version(String topic, String body, String triggeredAt) {}

  /**
   * @param events how many; at least 20
   */
  public OrderVersions(int events, Random random) {
    int orders = events / OF_ONE_ORDER;
    for (int i = 0; i < orders * OF_ONE_ORDER; i++) {
      long order = i % orders;
      int version = i / orders;
      String time = START.plusSeconds(version).toString();
      if (order % 7 == 0 && version == OF_ONE_ORDER - 1) {
        all.add(new Version("orders/delete", new String(Bodies.id(order), UTF_8), time));
        newest.put(order, "deleted: ");
      } else {
        List<Long> items =
            LongStream.range(0, 12).filter(item -> random.nextBoolean()).boxed().toList();
        String body = new String(Bodies.orderOf(order, time, version, items), UTF_8);
        all.add(new Version("orders/updated", body, null));
        newest.put(
            order,
            version
                + ".00: "
                + items.stream()
                    .map(item -> item + " " + version + ".00")
                    .collect(Collectors.joining(",")));
      }
    }
  }

  public List<Version> all() {
    return List.copyOf(all);
  }

  /** What each row and its line items are to be in the end, as text. */
  public Map<Long, String> newest() {
    return newest;
  }

  /** The same of what a target has. */
  public static Map<Long, String> at(Connection target) throws SQLException {
    Map<Long, String> rows = new TreeMap<>();
    try (Statement statement = target.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select o.id, case when o.deleted_at is null then o.total_price::text else 'deleted' end || ': '
                  || coalesce((select string_agg(i.id || ' ' || i.price, ',' order by i.id)
                               from order_line_items i
                               where i.shop_domain = o.shop_domain and i.order_id = o.id), '')
                from orders o""")) {
      while (row.next()) {
        rows.put(row.getLong(1), row.getString(2));
      }
    }
    return rows;
  }
}
