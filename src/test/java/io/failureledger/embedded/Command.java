package io.failureledger.embedded;

import io.failureledger.cli.App;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/** A command as somebody types it, run in this process. */
public final class Command {
  private static final String HOME = "failureledger.home";

  private Command() {}

  /** What a command that ended left behind. */
  public record Result(int exitCode, String out, String err) {}

  /** Runs it in this home, which has its settings file too. */
  public static Result run(Path home, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String before = System.getProperty(HOME);
    System.setProperty(HOME, home.toString());
    try {
      int exitCode =
          App.commandLine()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute(arguments);
      return new Result(exitCode, out.toString(), err.toString());
    } finally {
      if (before == null) {
        System.clearProperty(HOME);
      } else {
        System.setProperty(HOME, before);
      }
    }
  }
}
