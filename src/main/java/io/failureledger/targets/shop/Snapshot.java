package io.failureledger.targets.shop;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One state of one resource of one shop, read from an event and not yet written.
 *
 * @param shopDomain in lower case
 * @param sourceTime when the source says this state began; decides which of two snapshots is newer
 * @param triggeredAt when the event was triggered, or null; decides between equal source times
 * @param deleted a tombstone: the resource is gone
 * @param eventId the event's identity, kept for the operator; not what makes a repeat harmless
 * @param columns values of the typed columns that the event has, nulls included; empty for a
 *     tombstone
 * @param text the body as received
 */
record Snapshot(
    Resource resource,
    String shopDomain,
    long id,
    OffsetDateTime sourceTime,
    OffsetDateTime triggeredAt,
    boolean deleted,
    String eventId,
    Map<String, Object> columns,
    String text) {

  /** The statement that writes this snapshot. */
  ShopSqlFile statement() {
    return deleted ? resource.markDeleted() : resource.upsert();
  }

  /** Its parameters. */
  Map<String, Object> parameters() {
    Map<String, Object> all = new HashMap<>(columns);
    List<String> absent = new ArrayList<>();
    for (String column : resource.columns().keySet()) {
      if (!columns.containsKey(column)) {
        absent.add(column);
        all.put(column, null);
      }
    }
    all.put("absent", absent.toArray(String[]::new));
    all.put("shop_domain", shopDomain);
    all.put("id", id);
    all.put("source_time", sourceTime);
    all.put("triggered_at", triggeredAt);
    all.put("event_id", eventId);
    all.put("snapshot", text);
    return all;
  }
}
