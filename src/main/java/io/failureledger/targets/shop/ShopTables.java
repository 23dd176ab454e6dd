package io.failureledger.targets.shop;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.YamlNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All tables that are described below {@value #DIRECTORY}, and which topic goes to which. Read once
 * at the start; a repeat reads the same.
 */
public final class ShopTables {
  static final String DIRECTORY = "routes/feeds/shopify";

  private final Map<String, ShopTable> tables;
  private final Map<String, ShopTable> byTopic = new HashMap<>();
  private final Map<String, ShopTable> byFamily = new HashMap<>();
  private final Set<String> deletes = new HashSet<>();
  private final Map<String, ShopTable> without = new HashMap<>();

  private ShopTables(Map<String, ShopTable> tables) {
    this.tables = tables;
    for (ShopTable table : tables.values()) {
      deletes.addAll(table.deletes());
      table.without().forEach(topic -> without.put(topic, table));
      for (String topic : table.topics()) {
        if (topic.endsWith("/*")) {
          byFamily.put(topic.substring(0, topic.length() - 2), table);
        } else {
          byTopic.put(topic, table);
        }
      }
    }
  }

  /**
   * Where an event goes.
   *
   * @param deletes the event says that the resource is gone
   */
  record Way(ShopTable table, boolean deletes) {}

  /**
   * Reads all files. A home without the directory has no tables, and then every event is refused.
   *
   * @throws RouteRefusedException naming file, line and what is allowed
   */
  public static ShopTables read(Path home) {
    Map<String, ShopTable> tables = new LinkedHashMap<>();
    Map<String, String> fileOf = new HashMap<>();
    for (Path path : files(home.resolve(DIRECTORY))) {
      String shown = YamlNode.shown(home, path);
      if (!shown.endsWith(TableFile.ENDING)) {
        throw new RouteRefusedException(
            shown
                + " would not be read; the file of a table has a name that ends in "
                + TableFile.ENDING);
      }
      ShopTable table = TableFile.read(home, path);
      YamlNode file = YamlNode.read(home, path);
      refuseOverlap(table, file.need("topics"), tables.values(), fileOf);
      for (TargetTable one : table.allAtTarget()) {
        String other = fileOf.put(one.name(), shown);
        if (other != null) {
          YamlNode place =
              one.name().equals(table.name()) ? file : file.need("children").need(one.name());
          throw place.refuse("the table " + one.name() + " is described already, in " + other);
        }
      }
      tables.put(table.name(), table);
    }
    return new ShopTables(tables);
  }

  private static List<Path> files(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().matches("(?i).*\\.ya?ml"))
          .filter(file -> !file.getFileName().toString().endsWith(".camel.yaml"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + directory, e);
    }
  }

  /** A topic that one table takes, another may not. One that a table only tells of is free. */
  private static void refuseOverlap(
      ShopTable table, YamlNode topics, Iterable<ShopTable> others, Map<String, String> fileOf) {
    for (ShopTable other : others) {
      for (String one : table.topics()) {
        for (String two : other.topics()) {
          boolean free = table.without().contains(two) || other.without().contains(one);
          if (!free && (TableFile.covers(one, two) || TableFile.covers(two, one))) {
            throw topics.refuse(
                "the topics "
                    + one
                    + " overlap with "
                    + two
                    + " of "
                    + fileOf.get(other.name())
                    + "; a topic goes to one table. A topic that does not carry the resource is"
                    + " named in without");
          }
        }
      }
    }
  }

  /**
   * The table of a topic such as {@code orders/paid}.
   *
   * @param topic in small letters; empty when the event has none
   * @param shop for the message
   * @throws UnsupportedTopicException for every topic that no file describes, and for none
   */
  Way of(String topic, String shop) {
    ShopTable table = byTopic.get(topic);
    if (table == null && !TableFile.COMPLIANCE.contains(topic) && !without.containsKey(topic)) {
      boolean one = TableFile.TOPIC.matcher(topic).matches();
      table = one ? byFamily.get(topic.substring(0, topic.indexOf('/'))) : null;
    }
    if (table == null) {
      throw new UnsupportedTopicException(why(topic, shop) + "; " + described());
    }
    return new Way(table, deletes.contains(topic));
  }

  private String why(String topic, String shop) {
    String of = shop.isEmpty() ? "" : " of shop " + JsonBody.cut(shop);
    if (topic.isEmpty()) {
      return "The event" + of + " has no Shopify topic";
    }
    String unsupported = "The topic '" + JsonBody.cut(topic) + "'" + of + " is not supported";
    if (TableFile.COMPLIANCE.contains(topic)) {
      return unsupported + ": it is a compliance topic";
    }
    if (without.containsKey(topic)) {
      return unsupported
          + ": it does not carry the resource of the table "
          + without.get(topic).name()
          + ", it only tells of a change";
    }
    return unsupported;
  }

  private String described() {
    List<String> topics = new ArrayList<>();
    tables.values().forEach(table -> topics.addAll(table.topics()));
    return topics.isEmpty()
        ? "no topic is described, because " + DIRECTORY + " has no " + TableFile.ENDING
        : "described are " + String.join(", ", topics) + ".";
  }

  /** All of them, by their names. */
  List<ShopTable> all() {
    return List.copyOf(tables.values());
  }

  /** Names of all tables at a target, those of children included. */
  public List<String> names() {
    return tables.values().stream()
        .flatMap(table -> table.allAtTarget().stream())
        .map(TargetTable::name)
        .toList();
  }

  /** The table of this name, or the one that has a child of this name. */
  Optional<ShopTable> find(String name) {
    return tables.values().stream()
        .filter(table -> table.allAtTarget().stream().anyMatch(one -> one.name().equals(name)))
        .findFirst();
  }

  /** The statements of a table and its children, or of one child, to be read by a person. */
  public Optional<String> sql(String name) {
    return find(name).map(table -> TableSql.of(table).shown(table, name));
  }
}
