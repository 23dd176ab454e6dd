package io.failureledger.targets.shop;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table of the items of a list in an event's body: an order's line items.
 *
 * @param each where the list is
 * @param cutAt a list of so many items may be cut: then known items that are not in it stay
 * @param parents the columns that name the parent row, in the order of the parent's key, each with
 *     the type of the parent's column
 * @param key that tells the items of one parent apart
 * @param columns the others
 * @param personal pointers within an item
 */
record ChildTable(
    String name,
    JsonPointer each,
    int cutAt,
    List<ShopColumn> parents,
    List<ShopColumn> key,
    List<ShopColumn> columns,
    List<JsonPointer> personal) {

  /** What its list is called in a message. */
  String field() {
    return ShopColumn.field(each);
  }

  /** The key of an item and its other columns. */
  List<ShopColumn> ofItem() {
    return Stream.concat(key.stream(), columns.stream()).toList();
  }

  /** The table as a target has it. */
  TargetTable atTarget() {
    List<ShopColumn> names = Stream.concat(parents.stream(), key.stream()).toList();
    return TargetTable.of(name, names, List.of(), columns);
  }
}
