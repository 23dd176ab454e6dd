package io.failureledger.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

  private final Set<String> keys = new TreeSet<>();
  private boolean pubsubFeed;

  /** Reads the files below the home directory; a directory that is not there has no keys. */
  static RouteKeys below(Path home) {
    RouteKeys found = new RouteKeys();
    for (String directory : List.of("routes", "kamelets")) {
      found.readAll(home.resolve(directory));
    }
    return found;
  }

  Set<String> keys() {
    return keys;
  }

  /** Whether any feed reads from Pub/Sub. */
  boolean pubsubFeed() {
    return pubsubFeed;
  }

  private void readAll(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + directory, e);
    }
  }

  private void read(String content) {
    Matcher matcher = PLACEHOLDER.matcher(content);
    while (matcher.find()) {
      keys.add(matcher.group(1));
    }
    pubsubFeed |= PUBSUB_FEED.matcher(content).find();
  }
}
