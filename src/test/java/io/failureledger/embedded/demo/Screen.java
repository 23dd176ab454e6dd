package io.failureledger.embedded.demo;

import java.io.Console;
import java.io.PrintStream;

/**
 * What the watcher sees: lines that stay, and one status line below them that is written in place.
 * Where there is no terminal the status is a plain line every few seconds.
 */
final class Screen {
  private static final int PLAIN_EVERY = 5;

  /** Cut at the terminal's edge instead of wrapped, so that in place stays in place. */
  private static final String START = "\r\u001b[?7l";

  private static final String END = "\u001b[K\u001b[?7h";

  private final PrintStream out;
  private final boolean terminal;
  private boolean statusShown;
  private int skipped = PLAIN_EVERY;

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** A screen on this process's output as it is now. */
  static Screen open() {
    return new Screen(System.out, isTerminal(System.console()));
  }

  synchronized void line(String text) {
    if (statusShown) {
      out.print("\r\u001b[K");
      statusShown = false;
    }
    out.println(text);
    out.flush();
  }

  /** Shows the status; to be called once a second. */
  synchronized void status(String text) {
    if (terminal) {
      out.print(START + text + END);
      out.flush();
      statusShown = true;
    } else if (++skipped >= PLAIN_EVERY) {
      skipped = 0;
      line(text);
    }
  }

  /** Keeps the status as a line, for the end of a phase. */
  synchronized void keepStatus(String text) {
    line(text);
    skipped = 0;
  }

  /** From Java 22 on there is always a console, and it says itself whether it is a terminal. */
  private static boolean isTerminal(Console console) {
    if (console == null || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException olderJava) {
      return true;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the console does not say whether it is a terminal", e);
    }
  }
}
