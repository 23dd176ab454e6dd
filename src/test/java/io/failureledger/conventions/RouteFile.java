package io.failureledger.conventions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A YAML file under {@code routes/} or {@code kamelets/}, or one that a test makes up to be
 * refused.
 *
 * @param path relative to the home directory
 */
record RouteFile(String path, String text, JsonNode yaml) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static RouteFile of(String path, String text) {
    try {
      return new RouteFile(path, text, YAML.readTree(text));
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }

  static List<RouteFile> routes() {
    return below("routes", ".camel.yaml");
  }

  static List<RouteFile> kamelets() {
    return below("kamelets", ".kamelet.yaml");
  }

  /** Routes and kamelets. */
  static List<RouteFile> all() {
    return Stream.concat(routes().stream(), kamelets().stream()).toList();
  }

  private static List<RouteFile> below(String directory, String ending) {
    try (Stream<Path> files = Files.walk(Path.of(directory))) {
      List<RouteFile> found = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(ending)).sorted().toList()) {
        found.add(of(file.toString().replace('\\', '/'), Files.readString(file)));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(directory, e);
    }
  }

  /** The file's name without its two endings. */
  String stem() {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.substring(0, name.indexOf('.'));
  }

  boolean isFeed() {
    return path.startsWith("routes/feeds/");
  }

  /** Whatever the file defines, in its order. */
  List<Flow> flows() {
    List<Flow> flows = new ArrayList<>();
    for (JsonNode entry : yaml) {
      entry.properties().forEach(f -> flows.add(new Flow(this, f.getKey(), f.getValue())));
    }
    return flows;
  }

  List<Flow> flows(String kind) {
    return flows().stream().filter(flow -> flow.kind().equals(kind)).toList();
  }
}
