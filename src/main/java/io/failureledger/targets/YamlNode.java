package io.failureledger.targets;

import com.fasterxml.jackson.core.JsonPointer;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Suggestion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A value in a description that lies beside a feed's route, such as {@code orders.table.yaml}. It
 * knows its file and line, so whatever is wrong with it is told with the place and what is allowed.
 * Every method that cannot answer throws a {@link RouteRefusedException}.
 */
public final class YamlNode {
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])+)+");

  private final String file;
  private final int line;
  private final String name;
  private final Node node;

  private YamlNode(String file, int line, String name, Node node) {
    this.file = file;
    this.line = line;
    this.name = name;
    this.node = node;
  }

  /**
   * The map that a file is.
   *
   * @param home the file is told relative to it
   * @throws RouteRefusedException when it is no YAML, or no map
   */
  public static YamlNode read(Path home, Path file) {
    String shown = shown(home, file);
    Optional<Node> root;
    try {
      root =
          new Compose(LoadSettings.builder().setLabel(shown).build())
              .composeString(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (MarkedYamlEngineException e) {
      int at = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new RouteRefusedException(
          shown + ", line " + at + ": this is no YAML: " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new RouteRefusedException(shown + ": this is no YAML: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    if (root.isEmpty()) {
      throw new RouteRefusedException(shown + " is empty");
    }
    YamlNode whole = new YamlNode(shown, line(root.get()), "the file", root.get());
    whole.entries();
    return whole;
  }

  /** As an engineer calls the file: relative to the home. */
  public static String shown(Path home, Path file) {
    Path top = home.toAbsolutePath().normalize();
    Path path = file.toAbsolutePath().normalize();
    return (path.startsWith(top) ? top.relativize(path) : path).toString().replace('\\', '/');
  }

  /** Its key in the map that it is in, or its own text in a list. */
  public String name() {
    return name;
  }

  /** Where it stands, as {@code routes/feeds/shopify/orders.table.yaml, line 3}. */
  public String place() {
    return file + ", line " + line;
  }

  /** A refusal that begins with the place; the sentence begins in lower case. */
  public RouteRefusedException refuse(String sentence) {
    return new RouteRefusedException(place() + ": " + sentence);
  }

  /** Whether it is a map, and no single value or list. */
  public boolean isMap() {
    return node instanceof MappingNode;
  }

  /** The entries of a map, by their keys and in their order; no key may be there twice. */
  public Map<String, YamlNode> entries() {
    if (!(node instanceof MappingNode map)) {
      throw refuse(name + " must be a map of keys and values");
    }
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw refuse("a key of " + name + " is no single word");
      }
      String word = key.getValue();
      YamlNode value = new YamlNode(file, line(key), word, entry.getValueNode());
      if (entries.put(word, value) != null) {
        throw value.refuse(word + " is there twice");
      }
    }
    return entries;
  }

  /** The entries of a map that has only these keys. */
  public Map<String, YamlNode> entries(Collection<String> allowed) {
    Map<String, YamlNode> entries = entries();
    for (YamlNode entry : entries.values()) {
      if (!allowed.contains(entry.name)) {
        throw entry.refuse(
            "there is no key " + entry.name + " here" + Suggestion.hint(entry.name, allowed));
      }
    }
    return entries;
  }

  /** The value of a key that must be there. */
  public YamlNode need(String key) {
    YamlNode value = entries().get(key);
    if (value == null) {
      throw refuse("the key " + key + " is missing in " + name);
    }
    return value;
  }

  /** The values of a list. */
  public List<YamlNode> items() {
    if (!(node instanceof SequenceNode list)) {
      throw refuse(name + " must be a list, such as [a, b]");
    }
    List<YamlNode> items = new ArrayList<>();
    for (Node item : list.getValue()) {
      String text = item instanceof ScalarNode scalar ? scalar.getValue() : "an item of " + name;
      items.add(new YamlNode(file, line(item), text, item));
    }
    return items;
  }

  /** A single value, as text; it is not empty. */
  public String text() {
    if (!(node instanceof ScalarNode scalar)) {
      throw refuse(name + " must be a single value");
    }
    String text = scalar.getValue().strip();
    if (text.isEmpty()) {
      throw refuse(name + " is empty");
    }
    return text;
  }

  /** A JSON pointer to a field, such as {@code /customer/id}. */
  public JsonPointer pointer() {
    String text = text();
    if (!POINTER.matcher(text).matches()) {
      throw refuse(
          "'" + text + "' is no JSON pointer to a field; one looks like /id or /customer/id");
    }
    return JsonPointer.compile(text);
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
