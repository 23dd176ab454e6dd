package io.failureledger.target;

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

  /** Verbs of a supported resource that do not carry it: Shopify's compliance topics. */
  private static final Set<String> NOT_A_RESOURCE =
      Set.of("customers/redact", "customers/data_request");

  private final String table;
  private final Map<String, Kind> columns;
  private final SqlFile create;
  private final SqlFile upsert;
  private final SqlFile markDeleted;

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
    this.create = SqlFile.load("sql/target/create-" + table + ".sql");
    this.upsert = SqlFile.load("sql/target/upsert-" + one + ".sql");
    this.markDeleted = SqlFile.load("sql/target/mark-" + one + "-deleted.sql");
  }

  /**
   * The resource of a topic such as {@code orders/paid}; any verb will do, except those of the
   * compliance topics.
   *
   * @throws UnsupportedEventException for every other topic, and for none
   */
  static Resource ofTopic(String topic) {
    for (Resource resource : values()) {
      if (topic.matches(resource.table + "/[a-z_]+") && !NOT_A_RESOURCE.contains(topic)) {
        return resource;
      }
    }
    String known = Stream.of(values()).map(r -> r.table + "/*").collect(Collectors.joining(", "));
    String what =
        topic.isEmpty()
            ? "The event has no Shopify topic"
            : "The topic '" + JsonBody.cut(topic) + "' is not supported";
    throw new UnsupportedEventException(
        what + "; supported are " + known + ", but not the compliance topics.");
  }

  Map<String, Kind> columns() {
    return columns;
  }

  SqlFile create() {
    return create;
  }

  SqlFile upsert() {
    return upsert;
  }

  SqlFile markDeleted() {
    return markDeleted;
  }
}
