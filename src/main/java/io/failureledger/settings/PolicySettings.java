package io.failureledger.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The family {@code policy.<name>.<quality>}: a retry policy is any name with these qualities. Two
 * come with the bundle, {@code ledger} and {@code persist}; a new one starts from ledger's
 * defaults.
 */
final class PolicySettings {

  static final List<String> SHIPPED = List.of("ledger", "persist");

  private static final Pattern KEY = Pattern.compile("policy\\.([a-z0-9][a-z0-9-]*)\\.([a-z]+)");

  private static final List<Setting> QUALITIES =
      List.of(
          Setting.of("first", Kind.DURATION, "0s", "wait before the first replay")
              .between("0s", "720h"),
          Setting.of(
                  "base",
                  Kind.DURATION,
                  "60s",
                  "the delay that is multiplied after each failed replay")
              .between("1ms", "720h"),
          Setting.of("factor", Kind.NUMBER, "2", "what the delay is multiplied by")
              .between("1", "10"),
          Setting.of("cap", Kind.DURATION, "60m", "the longest delay").between("1ms", "720h"),
          Setting.of("attempts", Kind.INTEGER, "5", "failed replays until the event is failed")
              .between("1", "1000"),
          Setting.of(
                  "jitter",
                  Kind.CHOICE,
                  "none",
                  "full = a random delay between 0 and the computed one")
              .oneOf("none", "full"));

  private static final Map<String, String> PERSIST =
      Map.of(
          "first",
          "30s",
          "base",
          "30s",
          "factor",
          "2",
          "cap",
          "30m",
          "attempts",
          "10",
          "jitter",
          "none");

  private PolicySettings() {}

  /** The settings of the policy of that name. */
  static List<Setting> of(String name) {
    return QUALITIES.stream().map(quality -> named(name, quality)).toList();
  }

  /** The setting that the key names, or empty when it is no key of this family. */
  static Optional<Setting> find(String key) {
    return nameIn(key)
        .flatMap(name -> of(name).stream().filter(s -> s.key().equals(key)).findFirst());
  }

  /** The policy's name in a key of this family's form, whether the quality exists or not. */
  static Optional<String> nameIn(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** What is senseless in a policy whose single values are all allowed. */
  static List<String> problems(String name, Function<String, String> value) {
    List<String> problems = new ArrayList<>();
    String base = "policy." + name + ".base";
    String cap = "policy." + name + ".cap";
    if (Durations.parse(value.apply(cap)).compareTo(Durations.parse(value.apply(base))) < 0) {
      problems.add(
          cap
              + "="
              + value.apply(cap)
              + " is not allowed; it must be at least "
              + base
              + "="
              + value.apply(base)
              + ".");
    }
    return problems;
  }

  private static Setting named(String name, Setting quality) {
    Setting setting = quality.named("policy." + name + "." + quality.key());
    return name.equals("persist") ? setting.byDefault(PERSIST.get(quality.key())) : setting;
  }
}
