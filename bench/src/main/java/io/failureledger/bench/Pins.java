package io.failureledger.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The benchmarks compile the product's sources, so they must pin the same versions as its pom.xml
 * does; a figure taken with others would be of another product.
 */
final class Pins {
  private static final Pattern VERSION = Pattern.compile("<([\\w.]+\\.version)>([^<$]+)</\\1>");

  private Pins() {}

  /**
   * @throws IllegalStateException naming the first version that differs
   */
  static void check(Path product, Path bench) throws IOException {
    Map<String, String> pinned = versions(product);
    versions(bench)
        .forEach(
            (name, version) -> {
              String expected = pinned.getOrDefault(name, version);
              if (!expected.equals(version)) {
                throw new IllegalStateException(
                    bench + " has " + name + " " + version + ", but the product " + expected);
              }
            });
  }

  private static Map<String, String> versions(Path pom) throws IOException {
    Map<String, String> versions = new HashMap<>();
    Matcher found = VERSION.matcher(Files.readString(pom));
    while (found.find()) {
      versions.putIfAbsent(found.group(1), found.group(2));
    }
    return versions;
  }
}
