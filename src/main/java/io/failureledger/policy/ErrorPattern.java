package io.failureledger.policy;

import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One pattern of {@code policy.<name>.terminal} or {@code .pause}: {@code sqlstate:<prefix>}, or a
 * class name with {@code *} for any characters. A nested class is found under {@code Outer$Inner}
 * and under {@code Outer.Inner}. A class is matched by its own name only, not by that of a class it
 * extends. Pure.
 */
public final class ErrorPattern {
  private static final String SQL_STATE = "sqlstate:";

  private final String text;
  private final String sqlState;
  private final Pattern className;

  private ErrorPattern(String text) {
    this.text = text;
    boolean bySqlState = text.startsWith(SQL_STATE);
    this.sqlState = bySqlState ? text.substring(SQL_STATE.length()) : null;
    this.className =
        bySqlState ? null : Pattern.compile("\\Q" + text.replace("*", "\\E.*\\Q") + "\\E");
  }

  /**
   * @param text as the settings allow it
   */
  public static ErrorPattern of(String text) {
    return new ErrorPattern(text.strip());
  }

  /**
   * Whether this one exception, without its causes, is meant.
   *
   * @param sqlStateOf the SQLSTATE that an exception itself carries, or null
   */
  boolean matches(Throwable thrown, Function<Throwable, String> sqlStateOf) {
    if (sqlState != null) {
      String state = sqlStateOf.apply(thrown);
      return state != null && state.startsWith(sqlState);
    }
    String name = thrown.getClass().getName();
    return className.matcher(name).matches() || className.matcher(name.replace('$', '.')).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
