package io.failureledger.cli;

import io.failureledger.settings.InvalidSettingsException;
import picocli.CommandLine;

/** Tells a failure on stderr: one clear sentence, the stack trace only when asked for. */
public final class Failures {

  private Failures() {}

  /** Prints the failure and returns the exit code: 2 for settings, else 1. */
  public static int report(Throwable thrown, CommandLine command, boolean verbose) {
    command.getErr().println(sentence(thrown));
    if (verbose) {
      thrown.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return thrown instanceof InvalidSettingsException
        ? CommandLine.ExitCode.USAGE
        : CommandLine.ExitCode.SOFTWARE;
  }

  /**
   * The message that was meant for people; for other exceptions the innermost one with its type.
   */
  static String sentence(Throwable thrown) {
    if (thrown.getClass().getName().startsWith("io.failureledger.")
        && thrown.getMessage() != null) {
      return thrown.getMessage();
    }
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < 20; depth++) {
      root = root.getCause();
    }
    String said = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    return "failed: " + said + " (" + root.getClass().getSimpleName() + "; --verbose shows where)";
  }
}
