package io.failureledger.policy;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Sorts failures: terminal when a pattern of {@code terminal} matches anywhere along the cause
 * chain, else pause when the target is away or one of {@code pause} matches, else retry. Pure: the
 * same exception is of the same class on every repeat and every instance with these settings.
 *
 * @param sqlStateOf the SQLSTATE that an exception itself carries, or null; JDBC stays outside
 * @param away whether an exception or a cause of it means that the target is away
 */
public record ErrorClasses(
    List<ErrorPattern> terminal,
    List<ErrorPattern> pause,
    Function<Throwable, String> sqlStateOf,
    Predicate<Throwable> away) {
  private static final int MAX_DEPTH = 50;

  /**
   * @param terminal patterns, separated by commas; empty for none
   * @param pause patterns, separated by commas; empty for none
   */
  public static ErrorClasses of(
      String terminal,
      String pause,
      Function<Throwable, String> sqlStateOf,
      Predicate<Throwable> away) {
    return new ErrorClasses(patterns(terminal), patterns(pause), sqlStateOf, away);
  }

  /** The class of what was thrown. */
  public ErrorClass of(Throwable thrown) {
    if (anyMatches(terminal, thrown)) {
      return ErrorClass.TERMINAL;
    }
    return away.test(thrown) || anyMatches(pause, thrown) ? ErrorClass.PAUSE : ErrorClass.RETRY;
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
