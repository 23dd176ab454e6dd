package io.failureledger.embedded.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Sends everything that bundle and servers say to files, so that the screen stays readable. Takes
 * effect only before the first logger is made.
 */
final class DemoLog implements AutoCloseable {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final Path file;
  private final PrintStream stray;

  private DemoLog(Path file, PrintStream stray) {
    this.file = file;
    this.stray = stray;
  }

  /** Where the bundle's and the servers' log lines go. */
  Path file() {
    return file;
  }

  static DemoLog open(Path directory) throws IOException {
    Files.createDirectories(directory);
    System.setProperty("logback.configurationFile", "demo-logback.xml");
    Path file = directory.resolve("failure-ledger.log");
    System.setProperty("failureledger.demo.log", file.toString());
    PrintStream stray =
        new PrintStream(
            Files.newOutputStream(directory.resolve("servers-output.log")),
            true,
            StandardCharsets.UTF_8);
    DemoLog log = new DemoLog(file, stray);
    System.setOut(stray);
    System.setErr(stray);
    LogManager.getLogManager().reset();
    Logger.getLogger("").addHandler(new Lines(stray));
    return log;
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
    stray.flush();
  }

  /** What libraries say by java.util.logging. */
  private static final class Lines extends Handler {
    private final PrintStream to;

    Lines(PrintStream to) {
      this.to = to;
      setLevel(Level.INFO);
      setFormatter(new SimpleFormatter());
    }

    @Override
    public void publish(LogRecord line) {
      if (isLoggable(line)) {
        to.print(getFormatter().format(line));
      }
    }

    @Override
    public void flush() {
      to.flush();
    }

    @Override
    public void close() {
      to.flush();
    }
  }
}
