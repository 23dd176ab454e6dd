package io.failureledger.targets.shop;

import io.failureledger.handler.UnsupportedEventException;
import io.failureledger.targets.JsonBody;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a Shopify topic speaks of: one table each in the target database. */
@SuppressWarnings("ImmutableEnumChecker") // the map is unmodifiable, the statements are records
enum Resource {
  ORDER(
      "orders",
      Map.of("total_price", Kind.MONEY),
      List.of("name", "email", "currency", "financial_status", "fulfillment_status"),
      List.of("cancelled_at", "created_at", "updated_at")),
  PRODUCT(
      "products",
      Map.of(),
      List.of("title", "handle", "vendor", "product_type", "status"),
      List.of("published_at", "created_at", "updated_at")),
  CUSTOMER(
      "customers",
      Map.of("orders_count", Kind.COUNT, "total_spent", Kind.MONEY),
      List.of("email", "first_name", "last_name", "state", "currency"),
      List.of("created_at", "updated_at"));

  /** How a payload field becomes a typed column. */
  enum Kind {
    TEXT,
    TIME,
    MONEY,
    COUNT
  }

  private static final Set<String> COMPLIANCE =
      Set.of("customers/redact", "customers/data_request", "shop/redact");

  /** Topics of a supported resource that never carry it. */
  private static final Set<String> ABOUT_ONLY =
      Set.of(
          "orders/edited",
          "orders/risk_assessment_changed",
          "orders/shopify_protect_eligibility_changed",
          "customers/merge",
          "customers/purchasing_summary");

  private final String table;
  private final Map<String, Kind> columns;
  private final ShopSqlFile create;
  private final ShopSqlFile upsert;
  private final ShopSqlFile markDeleted;

  Resource(String table, Map<String, Kind> numbers, List<String> texts, List<String> times) {
    this.table = table;
    this.columns =
        Stream.of(
                numbers.entrySet().stream(),
                texts.stream().map(name -> Map.entry(name, Kind.TEXT)),
                times.stream().map(name -> Map.entry(name, Kind.TIME)))
            .flatMap(all -> all)
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    String one = name().toLowerCase(Locale.ROOT);
    this.create = ShopSqlFile.load("sql/target/create-" + table + ".sql");
    this.upsert = ShopSqlFile.load("sql/target/upsert-" + one + ".sql");
    this.markDeleted = ShopSqlFile.load("sql/target/mark-" + one + "-deleted.sql");
  }

  /**
   * The resource of a topic such as {@code orders/paid}; any verb will do, except those of the
   * compliance topics and of topics that tell of a resource and do not carry it.
   *
   * @throws UnsupportedEventException for every other topic, and for none
   */
  static Resource ofTopic(String topic) {
    for (Resource resource : values()) {
      if (topic.matches(resource.table + "/[a-z_]+")
          && !COMPLIANCE.contains(topic)
          && !ABOUT_ONLY.contains(topic)) {
        return resource;
      }
    }
    String known = Stream.of(values()).map(r -> r.table + "/*").collect(Collectors.joining(", "));
    throw new UnsupportedEventException(
        why(topic) + "; supported are " + known + " that carry the resource itself.");
  }

  private static String why(String topic) {
    if (topic.isEmpty()) {
      return "The event has no Shopify topic";
    }
    String unsupported = "The topic '" + JsonBody.cut(topic) + "' is not supported";
    if (COMPLIANCE.contains(topic)) {
      return unsupported + ": it is a compliance topic";
    }
    if (ABOUT_ONLY.contains(topic)) {
      String resource = topic.substring(0, topic.indexOf('/') - 1);
      return unsupported + ": it does not carry the " + resource + ", it only tells of a change";
    }
    return unsupported;
  }

  Map<String, Kind> columns() {
    return columns;
  }

  ShopSqlFile create() {
    return create;
  }

  ShopSqlFile upsert() {
    return upsert;
  }

  ShopSqlFile markDeleted() {
    return markDeleted;
  }
}
