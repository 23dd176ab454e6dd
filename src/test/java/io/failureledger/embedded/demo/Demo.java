package io.failureledger.embedded.demo;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import sun.misc.Signal;

/**
 * {@code mvn -q -Pdemo}, optionally with {@code -Ddemo.seconds=60} and {@code -Ddemo.rate=120}:
 * runs {@link DemoProcess} in a JVM of its own, set up for a short run on few processors, on this
 * terminal, and ends with its exit code. A signal is passed on, and the end awaited.
 */
public final class Demo {
  private static final List<String> SHORT_RUN =
      List.of(
          "-Xmx1500m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=240m");

  private Demo() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println(
        "Failure Ledger demo: starting two Postgres servers, Kafka, Pub/Sub, a graph, the bundle ...");
    System.out.flush();
    Process demo = new ProcessBuilder(command()).inheritIO().start();
    for (String signal : List.of("INT", "TERM")) {
      Signal.handle(new Signal(signal), received -> demo.destroy());
    }
    int code = demo.waitFor();
    // An exit in order makes Maven print an escape sequence after the demo's last line.
    Runtime.getRuntime().halt(code);
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SHORT_RUN);
    for (String key : List.of("failureledger.home", "demo.seconds", "demo.rate")) {
      String value = System.getProperty(key);
      if (value != null) {
        command.add("-D" + key + "=" + value);
      }
    }
    command.addAll(List.of("-cp", classPath(), DemoProcess.class.getName()));
    return command;
  }

  /** Maven loads this class by a loader of its own, which knows the class path. */
  private static String classPath() {
    return Demo.class.getClassLoader() instanceof URLClassLoader loader
        ? Stream.of(loader.getURLs())
            .map(Demo::file)
            .collect(Collectors.joining(File.pathSeparator))
        : System.getProperty("java.class.path");
  }

  private static String file(URL url) {
    try {
      return Path.of(url.toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no file: " + url, e);
    }
  }
}
