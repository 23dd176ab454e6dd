package io.failureledger.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The project's own files as text, by their paths. */
final class Sources {
  static final String MAIN = "src/main/java";
  static final String TEST = "src/test/java";

  private Sources() {}

  static String text(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /** Files with this ending below the directories, in the order of their paths. */
  static Map<String, String> below(String ending, String... directories) {
    Map<String, String> files = new TreeMap<>(Comparator.naturalOrder());
    for (String directory : directories) {
      try (Stream<Path> paths = Files.walk(Path.of(directory))) {
        paths
            .filter(path -> path.toString().endsWith(ending))
            .map(path -> path.toString().replace('\\', '/'))
            .forEach(path -> files.put(path, text(path)));
      } catch (IOException e) {
        throw new UncheckedIOException(directory, e);
      }
    }
    return files;
  }

  /** All of the product's Java, without one package. */
  static String mainOutside(String excludedPackage) {
    return below(".java", MAIN).entrySet().stream()
        .filter(file -> !file.getKey().contains("/" + excludedPackage + "/"))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining("\n"));
  }
}
