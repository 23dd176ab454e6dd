package io.failureledger.targets.shop;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * One column of a described table.
 *
 * @param pointer where its field is in the event's body, or in an item of a list
 * @param personal whether the field is, or lies in, personal data
 */
record ShopColumn(String name, ColumnType type, JsonPointer pointer, boolean personal) {

  /** Its field; missing when the object does not have it. */
  JsonNode in(JsonNode object) {
    return at(object, pointer);
  }

  /** How a message calls the field: {@code customer/id}. */
  String field() {
    return field(pointer);
  }

  static String field(JsonPointer pointer) {
    return pointer.toString().substring(1);
  }

  /** The value there. Where an outer one is null, so is this: null empties all that was in it. */
  static JsonNode at(JsonNode object, JsonPointer pointer) {
    JsonNode found = object;
    for (JsonPointer rest = pointer; !rest.matches() && !found.isNull(); rest = rest.tail()) {
      found =
          found.isArray()
              ? found.path(rest.getMatchingIndex())
              : found.path(rest.getMatchingProperty());
    }
    return found;
  }
}
