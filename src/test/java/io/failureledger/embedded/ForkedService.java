package io.failureledger.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One embedded service in a child JVM on the current class path, to be killed and started again on
 * the same port and data directory. It ends when this JVM ends, however that happens.
 *
 * <p>Not thread-safe: one test drives it.
 */
public final class ForkedService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ForkedService.class);
  private static final long READY_SECONDS = 90;
  private static final long END_SECONDS = 30;
  private static final int KEPT_LINES = 60;

  private final ServiceProcess.Name name;
  private final ServiceDirectory directory;
  private final int port;
  private final List<String> seeds;
  private Process process;
  private String address;

  private ForkedService(
      ServiceProcess.Name name, ServiceDirectory directory, int port, List<String> seeds) {
    this.name = name;
    this.directory = directory;
    this.port = port;
    this.seeds = seeds;
  }

  /** Starts a child; the data live until {@link #close}, or longer when a directory is given. */
  public static ForkedService start(ServiceProcess.Name name, ServiceOptions options) {
    return start(name, options, List.of());
  }

  /**
   * The same with Pub/Sub topics and subscriptions ({@code TOPIC} or {@code TOPIC=SUBSCRIPTION},
   * full names) that are there again after each restart.
   */
  public static ForkedService start(
      ServiceProcess.Name name, ServiceOptions options, List<String> seeds) {
    ServiceDirectory directory = ServiceDirectory.open("forked-" + name, options.dataDirectory());
    ForkedService service = new ForkedService(name, directory, options.portOrFree(), seeds);
    service.fork();
    return service;
  }

  /** What the service printed: host and port, or the Bolt URI. */
  public String address() {
    return address;
  }

  public int port() {
    return port;
  }

  public Path dataDirectory() {
    return directory.path();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Kill -9, a Postgres server included; returns when the process is gone. */
  public void kill() {
    if (name == ServiceProcess.Name.postgres) {
      PostgresProcess.endLeftover(PostgresService.cluster(directory.path()));
    }
    killProcessOnly();
  }

  /** Kill -9 of the Java process as a stranger does it; a Postgres server ends a moment later. */
  void killProcessOnly() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Ends it in order, as SIGTERM does. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Kills it if it runs, then starts it on the same port and data directory. */
  public void restart() {
    kill();
    fork();
  }

  @Override
  public void close() {
    stop();
    directory.close();
  }

  private void fork() {
    CompletableFuture<String> ready = new CompletableFuture<>();
    try {
      process = new ProcessBuilder(command()).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot fork " + name, e);
    }
    Thread reader = new Thread(() -> read(process, ready), "output-of-" + name);
    reader.setDaemon(true);
    reader.start();
    try {
      address = ready.get(READY_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      kill();
      throw new IllegalStateException(name + " did not become ready", e);
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting " + name, e);
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(name == ServiceProcess.Name.graph ? "-Xmx1g" : "-Xmx512m");
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC"));
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of("-cp", classPath()));
    command.addAll(List.of(ServiceProcess.class.getName(), name.name(), "--end-with-stdin"));
    command.addAll(List.of("--port", String.valueOf(port), "--data", directory.path().toString()));
    seeds.forEach(seed -> command.addAll(List.of("--seed", seed)));
    return command;
  }

  /** Inside Maven's exec:java the class path is the class loader's, not the JVM's. */
  private static String classPath() {
    if (ForkedService.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(url -> Path.of(URI.create(url.toString())).toString())
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  /** Completes with the address, or fails with the last lines when the output ends without one. */
  private void read(Process child, CompletableFuture<String> ready) {
    String sign = "ready " + name + " ";
    Deque<String> last = new ArrayDeque<>();
    try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        LOG.debug("{}: {}", name, line);
        if (line.startsWith(sign)) {
          ready.complete(line.substring(sign.length()));
        }
        last.addLast(line);
        if (last.size() > KEPT_LINES) {
          last.removeFirst();
        }
      }
    } catch (IOException e) {
      LOG.debug("output of {} ended", name, e);
    }
    ready.completeExceptionally(new IllegalStateException(String.join("\n", last)));
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end in " + END_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ending " + name, e);
    }
  }
}
