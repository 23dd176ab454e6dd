package io.failureledger.distribution;

import io.failureledger.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The distribution as an operator runs it: {@code bin/failure-ledger} in a process of its own,
 * configured by its environment.
 */
final class RunningBundle implements AutoCloseable {
  private static final Path HOME = Path.of("target/failure-ledger");
  private static final long LONGEST_START_SECONDS = 90;
  private static final long LONGEST_STOP_SECONDS = 60;

  private final Map<String, String> environment = new TreeMap<>();
  private final Path log;
  private final int port = FreePort.find();
  private Path home = HOME;
  private String heap = "512m";
  private Process process;

  RunningBundle(Map<String, String> settings) {
    settings.forEach((key, value) -> environment.put(variable(key), value));
    environment.put(variable("management.port"), Integer.toString(port));
    try {
      log = Files.createTempFile("failure-ledger", ".log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String variable(String key) {
    return key.toUpperCase(java.util.Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** With routes of its own and a heap of this size. */
  RunningBundle of(Path own, String size) {
    home = own;
    heap = size;
    return this;
  }

  RunningBundle start(String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/failure-ledger").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Xmx" + heap);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Waits until readiness says yes. */
  RunningBundle awaitReady() {
    org.awaitility.Awaitility.await()
        .atMost(LONGEST_START_SECONDS, TimeUnit.SECONDS)
        .failFast("the bundle ended: " + log, () -> !process.isAlive())
        .until(() -> status("/observe/health/ready") == 200);
    return this;
  }

  int status(String path) {
    try {
      return get(path).statusCode();
    } catch (IOException notUpYet) {
      return 0;
    }
  }

  HttpResponse<String> get(String path) throws IOException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kill -9. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  int awaitEnd() {
    try {
      if (!process.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the bundle did not end: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGTERM; returns the exit code. */
  int stop() {
    process.destroy();
    return awaitEnd();
  }

  /** A bundle that still runs was left by a failed test: its log tells why. */
  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      kill();
      System.out.println(output());
    }
  }
}
