package io.failureledger.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The error patterns that policies start with, and what is senseless in others. */
final class PolicyErrors {
  /** What cannot be read stays so, until the data or the parser is corrected. */
  static final String TERMINAL =
      String.join(
          ",",
          "io.failureledger.handler.MalformedEventException",
          "io.failureledger.handler.UnsupportedEventException",
          "io.failureledger.targets.shop.UnsupportedTopicException");

  private PolicyErrors() {}

  /**
   * @param prefix of the policy's keys, with the dot
   */
  static List<String> problems(String prefix, Function<String, String> value) {
    List<String> problems = new ArrayList<>();
    String terminal = prefix + "terminal";
    List<String> paused = patterns(value.apply(prefix + "pause"));
    for (String pattern : patterns(value.apply(terminal))) {
      if (pattern.matches("[*.$]+")) {
        problems.add(
            terminal
                + " names "
                + pattern
                + ", which is every failure: no event would be retried.");
      } else if (paused.contains(pattern)) {
        problems.add(
            terminal
                + " and "
                + prefix
                + "pause both name "
                + pattern
                + "; it can be one of them.");
      }
    }
    return problems;
  }

  private static List<String> patterns(String list) {
    return Arrays.stream(list.split(",")).map(String::strip).filter(p -> !p.isEmpty()).toList();
  }
}
