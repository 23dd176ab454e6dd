package io.failureledger.cli;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.InvalidSettingsException;
import picocli.CommandLine;

/** Tells a failure on stderr: one clear sentence, the stack trace only when asked for. */
public final class Failures {

  private Failures() {}

  /** Prints the failure and returns the exit code: 2 for settings and routes, else 1. */
  public static int report(Throwable thrown, CommandLine command, boolean verbose) {
    command.getErr().println(sentence(thrown));
    if (verbose) {
      thrown.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return thrown instanceof InvalidSettingsException || thrown instanceof RouteRefusedException
        ? CommandLine.ExitCode.USAGE
        : CommandLine.ExitCode.SOFTWARE;
  }

  /**
   * The outermost message that was meant for people; where there is none, the innermost message
   * with its type.
   */
  static String sentence(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; depth < 20; depth++) {
      if (root.getClass().getName().startsWith("io.failureledger.") && root.getMessage() != null) {
        return root.getMessage();
      }
      if (root.getCause() == null) {
        break;
      }
      root = root.getCause();
    }
    String said = root.getMessage() == null ? "no reason given" : root.getMessage();
    return "failed: " + said + " (" + root.getClass().getSimpleName() + "; --verbose shows where)";
  }
}
