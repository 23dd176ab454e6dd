package io.failureledger.settings;

import java.time.Duration;
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

  private static final Pattern KEY =
      Pattern.compile("policy\\.([a-z0-9][a-z0-9-]*)\\.([a-z]+(?:\\.[a-z]+)?)");

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
              .oneOf("none", "full"),
          Setting.of(
                  "terminal",
                  Kind.ERRORS,
                  PolicyErrors.TERMINAL,
                  "failures that no repeat can cure: the event is failed at once")
              .mayBeEmpty(),
          Setting.of(
                  "pause",
                  Kind.ERRORS,
                  "",
                  "failures that mean a target which is away, besides those known to")
              .mayBeEmpty(),
          Setting.of(
              "pause.counts",
              Kind.BOOLEAN,
              "false",
              "whether a failed replay of a pausing kind counts as an attempt"),
          Setting.of("history", Kind.INTEGER, "20", "attempts kept of each event, the newest")
              .between("1", "1000"));

  /** Where persist's defaults are not ledger's. */
  private static final Map<String, String> PERSIST =
      Map.of(
          "first", "30s",
          "base", "30s",
          "cap", "30m",
          "attempts", "10",
          "pause.counts", "true");

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
    problems.addAll(PolicyErrors.problems("policy." + name + ".", value));
    return problems;
  }

  /**
   * What is allowed and most likely not meant: a cap that no delay of an event ever reaches. A
   * shipped policy as shipped is as it was meant.
   */
  static Optional<String> warning(String name, Function<String, String> value) {
    String key = "policy." + name + ".";
    boolean shipped =
        SHIPPED.contains(name)
            && of(name).stream()
                .filter(s -> s.key().matches(".*\\.(base|factor|cap|attempts)"))
                .allMatch(s -> s.defaultValue().equals(value.apply(s.key())));
    double longest =
        Durations.parse(value.apply(key + "base")).toMillis()
            * Math.pow(
                Double.parseDouble(value.apply(key + "factor")),
                Integer.parseInt(value.apply(key + "attempts")) - 1);
    Duration cap = Durations.parse(value.apply(key + "cap"));
    return shipped || longest >= cap.toMillis()
        ? Optional.empty()
        : Optional.of(
            "%scap=%s is never reached: with base, factor and attempts as they are the longest delay is %d ms"
                .formatted(key, value.apply(key + "cap"), Math.round(longest)));
  }

  private static Setting named(String name, Setting quality) {
    Setting setting = quality.named("policy." + name + "." + quality.key());
    return name.equals("persist")
        ? setting.byDefault(PERSIST.getOrDefault(quality.key(), quality.defaultValue()))
        : setting;
  }
}
