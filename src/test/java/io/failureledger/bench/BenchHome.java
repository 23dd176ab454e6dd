package io.failureledger.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A home for a benchmark: the shipped routes, and instead of the shipped feeds one with a handler
 * of the benchmark's own.
 */
final class BenchHome {
  private BenchHome() {}

  static void fill(Path home, String feed) throws IOException {
    copy(Path.of("routes"), home.resolve("routes"));
    copy(Path.of("kamelets"), home.resolve("kamelets"));
    Files.copy(Path.of("application.properties"), home.resolve("application.properties"));
    Files.delete(home.resolve("routes/feeds/shopify.camel.yaml"));
    Files.delete(home.resolve("routes/feeds/consumer-graph.camel.yaml"));
    Files.copy(
        Path.of("src/test/resources/routes/feeds/" + feed + ".camel.yaml"),
        home.resolve("routes/feeds/" + feed + ".camel.yaml"));
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
