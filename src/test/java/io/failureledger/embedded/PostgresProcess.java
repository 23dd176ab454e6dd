package io.failureledger.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The server process of a data directory, found by its {@code postmaster.pid}. {@code pg_ctl}
 * detaches the server, so it is no child of ours and outlives a killed parent.
 */
final class PostgresProcess {

  private static final long END_SECONDS = 30;

  private PostgresProcess() {}

  /** The server that runs on this data directory, whoever started it. */
  static Optional<ProcessHandle> running(Path dataDirectory) {
    return recordedPid(dataDirectory)
        .flatMap(ProcessHandle::of)
        .filter(ProcessHandle::isAlive)
        .filter(process -> serves(process, dataDirectory));
  }

  /**
   * Kills the server that a killed process left on this data directory, and removes a pid file
   * whose pid now belongs to somebody else: Postgres would refuse to start beside it.
   */
  static void endLeftover(Path dataDirectory) {
    Optional<ProcessHandle> leftover = running(dataDirectory);
    if (leftover.isPresent()) {
      kill(leftover.get());
    } else if (recordedPid(dataDirectory).flatMap(ProcessHandle::of).isPresent()) {
      try {
        Files.deleteIfExists(pidFile(dataDirectory));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot remove a stale pid file", e);
      }
    }
  }

  /** Kills its backends too: one that outlives the server holds the shared memory. */
  private static void kill(ProcessHandle process) {
    List<ProcessHandle> backends = process.descendants().toList();
    process.destroyForcibly();
    backends.forEach(ProcessHandle::destroyForcibly);
    CompletableFuture<?>[] ends =
        Stream.concat(Stream.of(process), backends.stream())
            .map(ProcessHandle::onExit)
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(ends).get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("postgres " + process.pid() + " survived a kill", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while killing postgres", e);
    }
  }

  private static boolean serves(ProcessHandle process, Path dataDirectory) {
    ProcessHandle.Info info = process.info();
    return info.commandLine()
        .filter(line -> line.contains("postgres") && line.contains(dataDirectory.toString()))
        .isPresent();
  }

  private static Optional<Long> recordedPid(Path dataDirectory) {
    Path file = pidFile(dataDirectory);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(lines.get(0).trim()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  static Path pidFile(Path dataDirectory) {
    return dataDirectory.resolve("postmaster.pid");
  }
}
