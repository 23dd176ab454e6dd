package io.failureledger.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A service's data directory: a given one is kept, a temporary one is deleted on close. */
final class ServiceDirectory implements AutoCloseable {

  private final Path path;
  private final boolean temporary;

  private ServiceDirectory(Path path, boolean temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  static ServiceDirectory open(String service, Path given) {
    try {
      return given == null
          ? new ServiceDirectory(Files.createTempDirectory("failure-ledger-" + service + "-"), true)
          : new ServiceDirectory(Files.createDirectories(given.toAbsolutePath()), false);
    } catch (IOException e) {
      throw new UncheckedIOException("no data directory for " + service, e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    if (!temporary) {
      return;
    }
    try {
      Files.walkFileTree(path, new Deletion());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  /** Deletes bottom up; a file that a stopping server removed meanwhile is as good as deleted. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null && !(failure instanceof NoSuchFileException)) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
