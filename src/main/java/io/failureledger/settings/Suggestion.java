package io.failureledger.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the known key that a mistyped one most likely means, by counting changed letters. Pure. */
public final class Suggestion {

  private static final int FEW = 20;

  private Suggestion() {}

  /**
   * How a sentence about an unknown name goes on: with the nearest known one, or with all where
   * they are few.
   */
  public static String hint(String name, Collection<String> known) {
    return nearest(name, known)
        .map(near -> "; did you mean " + near + "?")
        .orElseGet(
            () ->
                known.isEmpty() || known.size() > FEW
                    ? ""
                    : "; known are " + String.join(", ", new TreeSet<>(known)));
  }

  /** The nearest known key, or empty when none is near enough to be meant. */
  public static Optional<String> nearest(String key, Collection<String> known) {
    int limit = Math.max(2, key.length() / 4);
    return known.stream()
        .filter(candidate -> distance(key, candidate) <= limit)
        .min(
            Comparator.comparingInt((String candidate) -> distance(key, candidate))
                .thenComparing(c -> c));
  }

  /** Levenshtein's distance between the two. */
  static int distance(String one, String other) {
    int[] previous = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] current = new int[other.length() + 1];
      current[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[other.length()];
  }
}
