package io.failureledger.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command takes that changes something: why. Who is read from the login. */
final class Change {
  private static final int MAX_REASON = 500;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private String reason;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for those who look at it later: 1 to 500 characters.")
  void setReason(String text) {
    if (text.isBlank() || text.length() > MAX_REASON) {
      throw new ParameterException(
          spec.commandLine(), "--reason is not allowed; it must have 1 to 500 characters");
    }
    reason = text;
  }

  /** Null without one. */
  String reason() {
    return reason;
  }

  /** Who is at the command line. */
  String by() {
    return System.getProperty("user.name", "unknown");
  }
}
