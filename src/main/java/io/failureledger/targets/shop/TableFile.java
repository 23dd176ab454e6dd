package io.failureledger.targets.shop;

import com.fasterxml.jackson.core.JsonPointer;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Suggestion;
import io.failureledger.targets.YamlNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads one {@code <table>.table.yaml}. What is wrong in it is told with file, line and what is
 * allowed. It looks at this file only; {@link ShopTables} compares it with the others.
 */
final class TableFile {
  static final String ENDING = ".table.yaml";

  /** Topics that ask for something to be done with personal data; no table takes them. */
  static final Set<String> COMPLIANCE =
      Set.of("customers/redact", "customers/data_request", "shop/redact");

  private static final int MAX_NAME = 63;
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");
  static final Pattern TOPIC = Pattern.compile("[a-z0-9_]+/[a-z0-9_]+");
  private static final Pattern ANY_OF = Pattern.compile("[a-z0-9_]+/\\*");
  private static final List<String> TYPES =
      Arrays.stream(ColumnType.values()).map(ColumnType::word).toList();

  /** Columns that every table has, and those that PostgreSQL itself has in each table. */
  private static final Set<String> RESERVED =
      Set.of(
          TargetTable.SHOP_DOMAIN,
          TargetTable.SOURCE_TIME,
          TargetTable.TRIGGERED_AT,
          TargetTable.DELETED_AT,
          TargetTable.EVENT_ID,
          TargetTable.SNAPSHOT,
          "ctid",
          "xmin",
          "xmax",
          "cmin",
          "cmax",
          "tableoid");

  private static final List<String> KEYS =
      List.of(
          "topics",
          "deletes",
          "without",
          "key",
          "source-time",
          "customer",
          "order",
          "personal",
          "columns",
          "children");
  private static final List<String> CHILD_KEYS =
      List.of("each", "cut-at", "parent", "key", "personal", "columns");

  private final YamlNode file;
  private final Map<String, YamlNode> keys;

  private TableFile(YamlNode file) {
    this.file = file;
    this.keys = file.entries(KEYS);
  }

  /**
   * The table that a file describes.
   *
   * @throws RouteRefusedException naming file, line and what is allowed
   */
  static ShopTable read(Path home, Path path) {
    String stem = path.getFileName().toString().replace(ENDING, "");
    TableFile file = new TableFile(YamlNode.read(home, path));
    checkName(stem, "table", file.file);
    return file.table(stem);
  }

  private ShopTable table(String name) {
    List<String> topics = topics();
    List<String> deletes = topicsIn("deletes", topics, List.of());
    List<String> without = topicsIn("without", topics, deletes);
    List<JsonPointer> personal = pointers(keys.get("personal"));
    Map<String, YamlNode> taken = new LinkedHashMap<>();
    List<ShopColumn> key = key(file.need("key"), personal, taken);
    List<ShopColumn> columns = columns(keys.get("columns"), personal, taken);
    List<ChildTable> children = new ArrayList<>();
    if (keys.containsKey("children")) {
      for (YamlNode child : keys.get("children").entries().values()) {
        children.add(child(child, key, personal));
      }
    }
    return new ShopTable(
        name,
        topics,
        deletes,
        without,
        key,
        keys.containsKey("source-time") ? keys.get("source-time").pointer() : null,
        columnAt("customer", key, columns),
        columnAt("order", key, columns),
        personal,
        columns,
        List.copyOf(children));
  }

  /** The integer column of a pointer by which personal data is found at a target; null without. */
  private ShopColumn columnAt(String name, List<ShopColumn> key, List<ShopColumn> columns) {
    if (!keys.containsKey(name)) {
      return null;
    }
    JsonPointer pointer = keys.get(name).pointer();
    return Stream.concat(key.stream(), columns.stream())
        .filter(column -> column.pointer().equals(pointer) && column.type() == ColumnType.INTEGER)
        .findFirst()
        .orElseThrow(
            () ->
                keys.get(name)
                    .refuse(
                        name
                            + " is "
                            + pointer
                            + ", and no integer column is read from there; add one to columns"));
  }

  private List<String> topics() {
    List<String> topics = new ArrayList<>();
    for (YamlNode topic : file.need("topics").items()) {
      String text = topic.text();
      if (!TOPIC.matcher(text).matches() && !ANY_OF.matcher(text).matches()) {
        throw topic.refuse(
            "'"
                + text
                + "' matches no topic; allowed are one such as orders/paid, or orders/* for all of"
                + " them, in small letters");
      }
      refuseCompliance(topic);
      topics.stream()
          .filter(other -> covers(other, text) || covers(text, other))
          .findFirst()
          .ifPresent(
              other -> {
                throw topic.refuse(
                    "the topics " + other + " and " + text + " overlap; name each once");
              });
      topics.add(text);
    }
    if (topics.isEmpty()) {
      throw file.need("topics").refuse("topics is empty; name one at least, such as orders/*");
    }
    return List.copyOf(topics);
  }

  /** Topics of this list, each of which must be one of the table's. */
  private List<String> topicsIn(String list, List<String> topics, List<String> deletes) {
    List<String> found = new ArrayList<>();
    if (!keys.containsKey(list)) {
      return List.of();
    }
    for (YamlNode topic : keys.get(list).items()) {
      String text = topic.text();
      if (!TOPIC.matcher(text).matches()
          || topics.stream().noneMatch(pattern -> covers(pattern, text))) {
        throw topic.refuse(
            "'"
                + text
                + "' can never match; "
                + list
                + " takes single topics among "
                + String.join(", ", topics));
      }
      refuseCompliance(topic);
      if (found.contains(text) || deletes.contains(text)) {
        throw topic.refuse("the topic " + text + " is there twice");
      }
      if (list.equals("without") && topics.contains(text)) {
        throw topic.refuse("the topic " + text + " is one of the topics too; leave it out there");
      }
      found.add(text);
    }
    return List.copyOf(found);
  }

  private static void refuseCompliance(YamlNode topic) {
    if (COMPLIANCE.contains(topic.name())) {
      throw topic.refuse("the topic " + topic.name() + " is a compliance topic; no table takes it");
    }
  }

  /** Whether a pattern matches a topic, or another pattern is part of it. */
  static boolean covers(String pattern, String topic) {
    return pattern.equals(topic)
        || (pattern.endsWith("/*") && topic.startsWith(pattern.substring(0, pattern.length() - 1)));
  }

  private ChildTable child(YamlNode child, List<ShopColumn> parentKey, List<JsonPointer> personal) {
    checkName(child.name(), "table", child);
    Map<String, YamlNode> own = child.entries(CHILD_KEYS);
    JsonPointer each = child.need("each").pointer();
    Map<String, YamlNode> taken = new LinkedHashMap<>();
    List<ShopColumn> parents = parents(child.need("parent"), parentKey, taken);
    List<JsonPointer> ownPersonal = pointers(own.get("personal"));
    List<JsonPointer> all = covered(each, personal) ? List.of(JsonPointer.empty()) : ownPersonal;
    return new ChildTable(
        child.name(),
        each,
        own.containsKey("cut-at") ? cutAt(own.get("cut-at")) : Integer.MAX_VALUE,
        parents,
        key(child.need("key"), all, taken),
        columns(own.get("columns"), all, taken),
        ownPersonal);
  }

  private static int cutAt(YamlNode number) {
    if (!number.text().matches("[1-9][0-9]{0,5}")) {
      throw number.refuse(
          "cut-at is '" + number.text() + "'; allowed is a whole number, 1 to 999999");
    }
    return Integer.parseInt(number.text());
  }

  /** Which columns name the parent: each of its key has exactly one. */
  private static List<ShopColumn> parents(
      YamlNode parent, List<ShopColumn> key, Map<String, YamlNode> taken) {
    Map<String, ShopColumn> byKey = new HashMap<>();
    List<String> known = key.stream().map(ShopColumn::name).toList();
    for (YamlNode column : parent.entries().values()) {
      checkColumn(column, taken);
      String of = column.text();
      ShopColumn named = key.stream().filter(k -> k.name().equals(of)).findFirst().orElse(null);
      if (named == null) {
        throw column.refuse("the parent's key has no column " + of + Suggestion.hint(of, known));
      }
      ShopColumn own = new ShopColumn(column.name(), named.type(), named.pointer(), false);
      if (byKey.put(of, own) != null) {
        throw column.refuse("the parent's column " + of + " is there twice");
      }
    }
    for (ShopColumn column : key) {
      if (!byKey.containsKey(column.name())) {
        throw parent.refuse(
            "parent must name a column for each of the parent's key; "
                + column.name()
                + " is missing");
      }
    }
    return key.stream().map(column -> byKey.get(column.name())).toList();
  }

  private static List<ShopColumn> key(
      YamlNode key, List<JsonPointer> personal, Map<String, YamlNode> taken) {
    List<ShopColumn> columns = columns(key, personal, taken);
    if (columns.isEmpty()) {
      throw key.refuse("key is empty; name one column at least, such as {id: integer}");
    }
    for (ShopColumn column : columns) {
      if (column.type() != ColumnType.INTEGER && column.type() != ColumnType.TEXT) {
        throw key.refuse(
            "the key's column "
                + column.name()
                + " is of type "
                + column.type().word()
                + "; allowed are integer and text");
      }
    }
    return columns;
  }

  private static List<ShopColumn> columns(
      YamlNode columns, List<JsonPointer> personal, Map<String, YamlNode> taken) {
    if (columns == null) {
      return List.of();
    }
    List<ShopColumn> read = new ArrayList<>();
    for (YamlNode column : columns.entries().values()) {
      checkColumn(column, taken);
      YamlNode type = column;
      JsonPointer pointer = JsonPointer.compile("/" + column.name());
      if (column.isMap()) {
        column.entries(List.of("at", "type"));
        type = column.need("type");
        pointer = column.need("at").pointer();
      }
      read.add(new ShopColumn(column.name(), type(type), pointer, covered(pointer, personal)));
    }
    return List.copyOf(read);
  }

  private static ColumnType type(YamlNode type) {
    String word = type.text();
    return Stream.of(ColumnType.values())
        .filter(known -> known.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                type.refuse(
                    "there is no type "
                        + word
                        + "; allowed are "
                        + String.join(", ", TYPES)
                        + Suggestion.nearest(word, TYPES)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("")));
  }

  private static void checkColumn(YamlNode column, Map<String, YamlNode> taken) {
    checkName(column.name(), "column", column);
    if (RESERVED.contains(column.name())) {
      throw column.refuse(
          "the column "
              + column.name()
              + " is there in every table already; give this one another name");
    }
    YamlNode other = taken.put(column.name(), column);
    if (other != null) {
      throw column.refuse("the column " + column.name() + " is there already: " + other.place());
    }
  }

  private static void checkName(String name, String what, YamlNode node) {
    if (!NAME.matcher(name).matches()) {
      throw node.refuse(
          "'"
              + name
              + "' cannot be the name of a "
              + what
              + "; allowed are small letters, digits and _, and no digit first");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_NAME) {
      throw node.refuse(
          "the name of the "
              + what
              + " "
              + name
              + " has "
              + bytes
              + " bytes; PostgreSQL allows "
              + MAX_NAME);
    }
  }

  private static List<JsonPointer> pointers(YamlNode list) {
    return list == null ? List.of() : list.items().stream().map(YamlNode::pointer).toList();
  }

  /** Whether one of the pointers leads to this field or to what it lies in. */
  private static boolean covered(JsonPointer field, List<JsonPointer> pointers) {
    return pointers.stream()
        .map(JsonPointer::toString)
        .anyMatch(p -> field.toString().equals(p) || field.toString().startsWith(p + "/"));
  }
}
