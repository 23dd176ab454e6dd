package io.failureledger.scenario;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link BundleProcess} of a site, as the test sees it. */
final class ForkedBundle implements AutoCloseable {
  private static final String SIGN = "bundle: ";

  /**
   * How one is started.
   *
   * @param settings instead of the site's
   * @param environment besides this process's
   * @param java options of its JVM
   */
  record Launch(Map<String, String> settings, Map<String, String> environment, List<String> java) {
    static final Launch PLAIN = new Launch(Map.of(), Map.of(), List.of());
  }

  private final Process process;
  private final int managementPort;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Starts one; the arguments are those of {@link BundleProcess#main} after the first two. */
  ForkedBundle(Site site, String... arguments) {
    this(site, Launch.PLAIN, arguments);
  }

  ForkedBundle(Site site, Launch launch, String... arguments) {
    Properties properties = site.properties();
    properties.putAll(launch.settings());
    managementPort = Integer.parseInt(properties.getProperty("management.port"));
    Path settings = site.home.resolve(properties.getProperty("instance.name") + ".properties");
    try {
      try (Writer file = Files.newBufferedWriter(settings, StandardCharsets.UTF_8)) {
        properties.store(file, null);
      }
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
      command.addAll(launch.java());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(BundleProcess.class.getName(), site.home.toString()));
      command.add(settings.toString());
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(launch.environment());
      process = builder.start();
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
        .failFast(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException("it ended: " + String.join("\n", lines));
              }
            })
        .until(() -> lines.contains(SIGN + line));
    return this;
  }

  long said(String prefix) {
    return lines.stream().filter(line -> line.startsWith(SIGN + prefix)).count();
  }

  /** All that it wrote, its log included. */
  List<String> lines() {
    return lines;
  }

  /** What it counts under this name, over all tags. */
  double counted(String metric) {
    return Metrics.sum(managementPort, metric);
  }

  /** What it says of itself, readiness included. */
  String health() {
    return Metrics.health(managementPort);
  }

  /** SIGSTOP: it keeps all it has and does nothing, not even notice that time passes. */
  void freeze() {
    signal("-STOP");
  }

  /** SIGCONT. */
  void thaw() {
    signal("-CONT");
  }

  /** A handler that lingers goes on. A repeat changes nothing. */
  void goOn() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String signal) {
    try {
      int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill " + signal + " failed with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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

  /** SIGTERM; returns when the process is gone. */
  void terminate(Duration atMost) {
    // Not destroy(), which closes its standard input too: it would end at once.
    signal("-TERM");
    try {
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the bundle's process does not stop: " + lines);
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
