package io.failureledger.embedded.demo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The demo itself, in a process of its own: the whole bundle with every server embedded, traffic
 * and faults, until it is told to stop; with {@code -Ddemo.seconds=60} until everything that was
 * published in so many seconds is accounted for. It ends with its parent, however that ends.
 *
 * <p>Exit code: 0 when nothing is lost or doubled, 1 when something is or the demo itself failed, 2
 * for a senseless option, 130 when it was stopped.
 */
public final class DemoProcess {
  private static final int LISTED = 10;

  private final Screen screen = Screen.open();
  private final CompletableFuture<Void> broken = new CompletableFuture<>();
  private Verdict verdict;

  private DemoProcess() {}

  public static void main(String[] arguments) {
    System.exit(new DemoProcess().run());
  }

  private int run() {
    DemoOptions options;
    try {
      options = DemoOptions.read();
    } catch (IllegalArgumentException e) {
      screen.line(e.getMessage());
      return 2;
    }
    int code;
    try {
      code = run(options);
    } catch (Exception e) {
      screen.line("The demo failed: " + e);
      code = 1;
    }
    if (verdict != null) {
      screen.line(verdict.json());
    }
    return code;
  }

  private int run(DemoOptions options) throws Exception {
    Interrupt interrupt = Interrupt.watch(screen, broken);
    try (DemoDirectory directory = DemoDirectory.take(options.directory())) {
      if (directory == null) {
        screen.line("Another demo runs on " + options.directory() + "; it must end first.");
        return 2;
      }
      try (DemoLog log = DemoLog.open(options.directory())) {
        screen.line("  logs     " + options.home().relativize(log.file()));
        return run(options, interrupt);
      }
    }
  }

  private int run(DemoOptions options, Interrupt interrupt) throws Exception {
    try (DemoRun run = new DemoRun(options, screen, broken)) {
      run.start();
      screen.line(
          "Publishing %d events a second to each broker, %s."
              .formatted(
                  options.rate(),
                  options.endless() ? "until Ctrl-C" : "for " + options.seconds() + " s"));
      run.publish();
      waitFor(options);
      verdict = run.settle();
      report(verdict);
      return verdict.holds() ? 0 : 1;
    } catch (Exception e) {
      if (interrupt.seen()) {
        LoggerFactory.getLogger(DemoProcess.class).info("stopped: {}", e.toString());
        return Interrupt.EXIT_CODE;
      }
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      LoggerFactory.getLogger(DemoProcess.class).error("the demo failed", cause);
      screen.line("The demo failed, see the log: " + cause);
      return 1;
    }
  }

  /** The time of publishing; ends early with what broke. */
  private void waitFor(DemoOptions options) throws Exception {
    CompletableFuture<Void> time = new CompletableFuture<>();
    if (!options.endless()) {
      time.completeOnTimeout(null, options.seconds(), TimeUnit.SECONDS);
    }
    CompletableFuture.anyOf(broken, time).get();
  }

  private void report(Verdict found) {
    found.lost().stream().limit(LISTED).forEach(what -> screen.line("  lost     " + what));
    found.doubled().stream().limit(LISTED).forEach(what -> screen.line("  doubled  " + what));
  }
}
