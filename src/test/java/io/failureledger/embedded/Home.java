package io.failureledger.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A home for a bundle under test: the shipped routes, kamelets and settings, and only the feeds
 * that are asked for.
 */
public final class Home {
  private static final Path FEEDS_OF_TESTS = Path.of("src/test/resources/routes/feeds");
  private static final List<String> SHIPPED = List.of("shopify", "consumer-graph");

  private Home() {}

  /**
   * @param feeds shipped ones, or files below {@code src/test/resources/routes/feeds} without
   *     ending
   */
  public static Path with(String... feeds) {
    try {
      Path home = Files.createTempDirectory("failure-ledger");
      copy(Path.of("routes"), home.resolve("routes"));
      copy(Path.of("kamelets"), home.resolve("kamelets"));
      Files.copy(Path.of("application.properties"), home.resolve("application.properties"));
      Path own = home.resolve("routes/feeds");
      for (String shipped : SHIPPED) {
        if (!List.of(feeds).contains(shipped)) {
          Files.delete(own.resolve(shipped + ".camel.yaml"));
        }
      }
      for (String feed : feeds) {
        if (!SHIPPED.contains(feed)) {
          String file = feed + ".camel.yaml";
          Files.copy(FEEDS_OF_TESTS.resolve(file), own.resolve(file));
        }
      }
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a route of this home uses the setting. */
  public static boolean names(Path home, String key) {
    try (Stream<Path> files = Files.walk(home.resolve("routes"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file).contains("{{" + key + "}}")) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void delete(Path home) {
    try (Stream<Path> files = Files.walk(home)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
