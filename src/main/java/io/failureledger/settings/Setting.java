package io.failureledger.settings;

import java.util.List;
import java.util.Optional;

/**
 * One knob: its key, kind, default, range and meaning. Immutable.
 *
 * @param key the name in application.properties; LEDGER_URL in the environment is ledger.url
 * @param kind the form of its value
 * @param defaultValue what holds when nobody says otherwise; empty is a default too
 * @param min the smallest value in the range's own writing, or null
 * @param max the largest value in the range's own writing, or null
 * @param choices the allowed words; for a file, words that stand in for one; for a URL, the allowed
 *     schemes
 * @param empty whether an empty value is allowed
 * @param meaning one line
 */
public record Setting(
    String key,
    Kind kind,
    String defaultValue,
    String min,
    String max,
    List<String> choices,
    boolean empty,
    String meaning) {

  static Setting of(String key, Kind kind, String defaultValue, String meaning) {
    return new Setting(key, kind, defaultValue, null, null, List.of(), false, meaning);
  }

  static Setting text(String key, String defaultValue, String meaning) {
    Setting setting = Setting.of(key, Kind.TEXT, defaultValue, meaning);
    return defaultValue.isEmpty() ? setting.mayBeEmpty() : setting;
  }

  static Setting secret(String key, String meaning) {
    return Setting.of(key, Kind.SECRET, "", meaning).mayBeEmpty();
  }

  static Setting file(String key, String meaning) {
    return Setting.of(key, Kind.FILE, "", meaning).mayBeEmpty();
  }

  static Setting choice(String key, String defaultValue, String meaning) {
    return Setting.of(key, Kind.CHOICE, defaultValue, meaning);
  }

  static Setting count(String key, String value, String min, String max, String meaning) {
    return Setting.of(key, Kind.INTEGER, value, meaning).between(min, max);
  }

  static Setting span(String key, String value, String min, String max, String meaning) {
    return Setting.of(key, Kind.DURATION, value, meaning).between(min, max);
  }

  Setting between(String smallest, String largest) {
    return new Setting(key, kind, defaultValue, smallest, largest, choices, empty, meaning);
  }

  Setting oneOf(String... words) {
    return new Setting(key, kind, defaultValue, min, max, List.of(words), empty, meaning);
  }

  Setting mayBeEmpty() {
    return new Setting(key, kind, defaultValue, min, max, choices, true, meaning);
  }

  Setting named(String otherKey) {
    return new Setting(otherKey, kind, defaultValue, min, max, choices, empty, meaning);
  }

  Setting byDefault(String value) {
    return new Setting(key, kind, value, min, max, choices, empty, meaning);
  }

  /** Whether the value must never be shown. */
  public boolean secret() {
    return kind == Kind.SECRET;
  }

  /** What is allowed, in words: form, choices, range. */
  public String allowed() {
    String form = kind.form();
    if (!choices.isEmpty()) {
      form =
          switch (kind) {
            case FILE -> String.join(", ", choices) + " or " + form;
            case URL -> urlOf(choices) + ", without a user name";
            case BASE_URL -> urlOf(choices) + ", without user name, query and fragment";
            default -> "one of " + String.join(", ", choices);
          };
    }
    String range =
        min != null && max != null
            ? " from " + min + " to " + max
            : min != null ? " of at least " + min : max != null ? " of at most " + max : "";
    return form + range + (empty ? " (or empty)" : "");
  }

  private static String urlOf(List<String> schemes) {
    return "a URL that starts with " + String.join(", ", schemes);
  }

  /** The sentence that says what is wrong with the value, or empty when it is allowed. */
  Optional<String> problem(String value) {
    if (value.isEmpty()) {
      return empty
          ? Optional.empty()
          : Optional.of(
              key + " is not set" + (kind == Kind.TEXT ? "." : "; it must be " + allowed() + "."));
    }
    boolean good = kind.accepts(value) && isChoice(value) && inRange(value);
    return good
        ? Optional.empty()
        : Optional.of(
            key
                + "="
                + Masking.shown(this, value)
                + " is not allowed; it must be "
                + allowed()
                + ".");
  }

  /** Whether the value is one of the words that stand in for a file. */
  boolean isWord(String value) {
    return choices.contains(value);
  }

  private boolean isChoice(String value) {
    return switch (kind) {
      case FILE -> true;
      case URL, BASE_URL -> choices.isEmpty() || choices.stream().anyMatch(value::startsWith);
      default -> choices.isEmpty() || choices.contains(value);
    };
  }

  private boolean inRange(String value) {
    if (kind == Kind.DURATIONS) {
      return min == null || Kind.shortest(value).compareTo(Durations.parse(min)) >= 0;
    }
    return (min == null || kind.magnitude(value) >= kind.magnitude(min))
        && (max == null || kind.magnitude(value) <= kind.magnitude(max));
  }
}
