package io.failureledger.scenario;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link BundleProcess} of a site, as the test sees it. */
final class ForkedBundle implements AutoCloseable {
  private static final String SIGN = "bundle: ";

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Starts one; the arguments are those of {@link BundleProcess#main} after the first two. */
  ForkedBundle(Site site, String... arguments) {
    Path settings = site.home.resolve("forked.properties");
    try {
      try (Writer file = Files.newBufferedWriter(settings, StandardCharsets.UTF_8)) {
        site.properties().store(file, null);
      }
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(BundleProcess.class.getName(), site.home.toString()));
      command.add(settings.toString());
      command.addAll(List.of(arguments));
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::read, "output-of-bundle");
    reader.setDaemon(true);
    reader.start();
  }

  /** Waits until the process says this. */
  ForkedBundle awaitLine(String line) {
    await()
        .alias("the forked bundle says '" + line + "'")
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> lines.contains(SIGN + line));
    return this;
  }

  long said(String prefix) {
    return lines.stream().filter(line -> line.startsWith(SIGN + prefix)).count();
  }

  /** Kill -9; returns when the process is gone. */
  void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the bundle's process survived a kill");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("output ended: " + e);
    }
  }
}
