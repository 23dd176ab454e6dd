package io.failureledger.policy;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Sorts failures: terminal when a pattern of {@code terminal} matches anywhere along the cause
 * chain, else pause when one of {@code pause} does, else retry. Pure: the same exception is of the
 * same class on every repeat and every instance with these settings.
 *
 * @param sqlStateOf the SQLSTATE that an exception itself carries, or null; JDBC stays outside
 */
public record ErrorClasses(
    List<ErrorPattern> terminal, List<ErrorPattern> pause, Function<Throwable, String> sqlStateOf) {
  private static final int MAX_DEPTH = 50;

  /**
   * @param terminal patterns, separated by commas; empty for none
   * @param pause patterns, separated by commas; empty for none
   */
  public static ErrorClasses of(
      String terminal, String pause, Function<Throwable, String> sqlStateOf) {
    return new ErrorClasses(patterns(terminal), patterns(pause), sqlStateOf);
  }

  /** The class of what was thrown. */
  public ErrorClass of(Throwable thrown) {
    if (anyMatches(terminal, thrown)) {
      return ErrorClass.TERMINAL;
    }
    return anyMatches(pause, thrown) ? ErrorClass.PAUSE : ErrorClass.RETRY;
  }

  private boolean anyMatches(List<ErrorPattern> patterns, Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < MAX_DEPTH; t = t.getCause(), depth++) {
      for (ErrorPattern pattern : patterns) {
        if (pattern.matches(t, sqlStateOf)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<ErrorPattern> patterns(String list) {
    return list.isEmpty()
        ? List.of()
        : Arrays.stream(list.split(",", -1)).map(ErrorPattern::of).toList();
  }
}
