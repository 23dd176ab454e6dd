package io.failureledger.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The statements of {@code docs/operate.md}, as a person copies them from there. */
final class OperatorPage {
  private OperatorPage() {}

  /** The one that reopens this row. */
  static String reopen(long row) {
    return statement(0, row);
  }

  /** The one that discards it. */
  static String discard(long row) {
    return statement(1, row);
  }

  private static String statement(int n, long row) {
    try {
      String page = Files.readString(Path.of("docs/operate.md"));
      String section = page.substring(page.indexOf("### Reopen or discard a row"));
      List<MatchResult> blocks =
          Pattern.compile("(?s)```sql\n(.*?)```").matcher(section).results().toList();
      return blocks.get(n).group(1).replace("42", Long.toString(row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
