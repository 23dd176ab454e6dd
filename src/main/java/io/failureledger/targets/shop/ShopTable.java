package io.failureledger.targets.shop;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Shopify resource: which topics carry it, and how it lands in a table. It is read from {@code
 * <table>.table.yaml} by {@link TableFile} and never changes.
 *
 * @param topics {@code orders/*} for any, or one topic
 * @param deletes those whose event says that the resource is gone
 * @param without those that tell of the resource and do not carry it
 * @param key that tells the resources of one shop apart
 * @param sourceTime where the event says since when it is so, or null
 * @param customer the column with the id of the customer whose data it is, or null
 * @param order the column with the id of the order whose data it is, or null
 * @param personal pointers of personal data in the body
 * @param columns the others
 */
record ShopTable(
    String name,
    List<String> topics,
    List<String> deletes,
    List<String> without,
    List<ShopColumn> key,
    JsonPointer sourceTime,
    ShopColumn customer,
    ShopColumn order,
    List<JsonPointer> personal,
    List<ShopColumn> columns,
    List<ChildTable> children) {

  /** The table as a target has it; those of its children are others. */
  TargetTable atTarget() {
    return TargetTable.of(name, key, TargetTable.OF_A_SNAPSHOT, columns);
  }

  /** It and its children, as a target has them. */
  List<TargetTable> allAtTarget() {
    return Stream.concat(Stream.of(atTarget()), children.stream().map(ChildTable::atTarget))
        .toList();
  }
}
