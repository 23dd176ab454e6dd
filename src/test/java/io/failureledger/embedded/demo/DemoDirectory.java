package io.failureledger.embedded.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** The directory of one run at a time; what its servers keep in {@code data} goes with the run. */
final class DemoDirectory implements AutoCloseable {
  private final FileChannel lock;
  private final Path data;

  private DemoDirectory(FileChannel lock, Path data) {
    this.lock = lock;
    this.data = data;
  }

  /** Takes the directory and deletes what a killed run left; null when another run has it. */
  static DemoDirectory take(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileChannel lock =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      lock.close();
      return null;
    }
    DemoDirectory taken = new DemoDirectory(lock, directory.resolve("data"));
    taken.empty();
    return taken;
  }

  @Override
  public void close() throws IOException {
    try {
      empty();
    } finally {
      lock.close();
    }
  }

  private void empty() throws IOException {
    if (Files.exists(data)) {
      delete(data);
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path emptied, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(emptied);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
