package io.failureledger.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds in the logs of a campaign what no fault of it explains. */
final class CampaignLog {
  private static final Pattern SUSPICIOUS =
      Pattern.compile(
          "NullPointerException|ClassCastException|IndexOutOfBounds|ConcurrentModification|IllegalMonitor"
              + "|IllegalStateException(?!: Shutdown in progress)|IllegalArgumentException(?!: Object name cannot be null)"
              + "|UnsupportedOperation|NoSuchElement|OutOfMemory|StackOverflow"
              + "|deadlock detected|duplicate key|violates|were not settled|syntax error|does not exist|could not be looked at");
  private static final int MOST = 20;

  private CampaignLog() {}

  static List<String> suspicious(List<String> forked, List<String> here) {
    List<String> found = new ArrayList<>();
    for (List<String> lines : List.of(forked, here)) {
      lines.stream()
          .filter(line -> SUSPICIOUS.matcher(line).find())
          .limit(MOST)
          .forEach(found::add);
    }
    return found;
  }
}
