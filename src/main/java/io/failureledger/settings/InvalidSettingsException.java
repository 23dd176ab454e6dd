package io.failureledger.settings;

import java.util.List;

/**
 * The settings were refused. Carries every problem at once, one sentence each, secrets masked, so
 * that one reading of the message is enough to repair the file. Nothing was started or changed when
 * it is thrown.
 */
public final class InvalidSettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** Takes the problems in the order in which they are to be read; there is at least one. */
  public InvalidSettingsException(List<String> problems) {
    super("refusing to start, " + count(problems.size()) + ":\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, one sentence each. */
  public List<String> problems() {
    return problems;
  }

  private static String count(int size) {
    return size == 1 ? "one setting is wrong" : size + " settings are wrong";
  }
}
