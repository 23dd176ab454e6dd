package io.failureledger.cli;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.ledger.LedgerAwayException;
import io.failureledger.operate.ConflictException;
import io.failureledger.operate.NotFoundException;
import io.failureledger.settings.InvalidSettingsException;
import picocli.CommandLine;

/** Tells a failure on stderr: one clear sentence, the stack trace only when asked for. */
public final class Failures {

  private Failures() {}

  /** Prints the failure and returns the exit code. */
  public static int report(Throwable thrown, CommandLine command, boolean verbose) {
    command.getErr().println(sentence(thrown));
    if (verbose) {
      thrown.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return exitCode(thrown);
  }

  private static int exitCode(Throwable thrown) {
    if (thrown instanceof InvalidSettingsException || thrown instanceof RouteRefusedException) {
      return ExitCodes.USAGE;
    } else if (thrown instanceof NotFoundException) {
      return ExitCodes.NOT_FOUND;
    } else if (thrown instanceof ConflictException) {
      return ExitCodes.CONFLICT;
    }
    return thrown instanceof LedgerAwayException ? ExitCodes.UNREACHABLE : ExitCodes.FAILED;
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
