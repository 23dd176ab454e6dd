package io.failureledger.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The keys that the files under routes/ and kamelets/ use as {@code {{key}}}, {@code
 * {{key:default}}} or {@code {{?key}}}: an engineer's own feed brings its own keys this way. Reads
 * files, changes nothing.
 */
final class RouteKeys {

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{\\??([A-Za-z0-9][A-Za-z0-9._-]*)(?::[^}]*)?}}");
  private static final Pattern PUBSUB_FEED =
      Pattern.compile("routeTemplateRef:\\s*[\"']?pubsub-feed\\b");

  private final SortedMap<String, String> keys = new TreeMap<>();
  private boolean pubsubFeed;

  /** Reads the files below the home directory; a directory that is not there has no keys. */
  static RouteKeys below(Path home) {
    RouteKeys found = new RouteKeys();
    for (String directory : List.of("routes", "kamelets")) {
      found.readAll(home, home.resolve(directory));
    }
    return found;
  }

  Set<String> keys() {
    return keys.keySet();
  }

  /** The first file that uses the key, as a sentence; empty where none does. */
  String usedBy(String key) {
    return keys.containsKey(key) ? " " + keys.get(key) + " uses it." : "";
  }

  /** Whether any feed reads from Pub/Sub. */
  boolean pubsubFeed() {
    return pubsubFeed;
  }

  private void readAll(Path home, Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        read(
            home.relativize(file).toString(),
            new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + directory, e);
    }
  }

  private void read(String file, String content) {
    Matcher matcher = PLACEHOLDER.matcher(content);
    while (matcher.find()) {
      keys.putIfAbsent(matcher.group(1), file);
    }
    pubsubFeed |= PUBSUB_FEED.matcher(content).find();
  }
}
