package io.failureledger.targets.shop;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One state of one resource of one shop, read from an event and not yet written.
 *
 * @param shopDomain in lower case
 * @param key values of the table's key, in its order: numbers or texts
 * @param sourceTime when the source says this state began; decides which of two snapshots is newer
 * @param triggeredAt when the event was triggered, or null; decides between equal source times
 * @param deleted a tombstone: the resource is gone
 * @param eventId the event's identity, kept for the operator; not what makes a repeat harmless
 * @param columns values of the columns that the event has, nulls included; empty for a tombstone
 * @param items by child table, its items; without those that the event lacks
 * @param text the body as received
 */
record Snapshot(
    ShopTable table,
    String shopDomain,
    List<Object> key,
    OffsetDateTime sourceTime,
    OffsetDateTime triggeredAt,
    boolean deleted,
    String eventId,
    Map<String, Object> columns,
    Map<String, Items> items,
    String text) {

  /** Values of the statement that writes it; a column that the event lacks has none. */
  Map<String, Object> parameters() {
    Map<String, Object> values = new HashMap<>(columns);
    for (int i = 0; i < key.size(); i++) {
      values.put(table.key().get(i).name(), key.get(i));
    }
    values.put(TargetTable.SHOP_DOMAIN, shopDomain);
    values.put(TargetTable.SOURCE_TIME, sourceTime);
    values.put(TargetTable.TRIGGERED_AT, triggeredAt);
    values.put(TargetTable.EVENT_ID, eventId);
    values.put(TargetTable.SNAPSHOT, text);
    return values;
  }

  /**
   * The items of a list.
   *
   * @param json one JSON list, each item by its columns
   * @param whole false when the list may be cut
   */
  record Items(String json, boolean whole) {}

  /** Values by which a child table names this parent. */
  Map<String, Object> parameters(ChildTable child) {
    Map<String, Object> values = new HashMap<>();
    values.put(TargetTable.SHOP_DOMAIN, shopDomain);
    for (int i = 0; i < key.size(); i++) {
      values.put(child.parents().get(i).name(), key.get(i));
    }
    Items sent = items.get(child.name());
    if (sent != null) {
      values.put(TableSql.ITEMS, sent.json());
      values.put(TableSql.WHOLE, sent.whole());
    }
    return values;
  }

  /** Whether it says anything of the table's children. */
  boolean hasChildren() {
    return deleted ? !table.children().isEmpty() : !items.isEmpty();
  }
}
