package io.failureledger.policy;

import io.failureledger.settings.Settings;
import io.failureledger.settings.Suggestion;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The configured retry policies by name. */
public final class Policies {
  private final Map<String, RetryPolicy> byName = new TreeMap<>();

  public Policies(Collection<RetryPolicy> policies) {
    policies.forEach(policy -> byName.put(policy.name(), policy));
  }

  /**
   * @param sqlStateOf the SQLSTATE that an exception itself carries, or null
   * @param away whether an exception or a cause of it means that the target is away
   */
  public static Policies of(
      Settings settings, Function<Throwable, String> sqlStateOf, Predicate<Throwable> away) {
    return new Policies(
        settings.policyNames().stream()
            .map(
                name -> {
                  String key = "policy." + name + ".";
                  return new RetryPolicy(
                      name,
                      settings.duration(key + "first"),
                      settings.duration(key + "base"),
                      settings.number(key + "factor"),
                      settings.duration(key + "cap"),
                      settings.integer(key + "attempts"),
                      settings.text(key + "jitter").equals("full"),
                      ErrorClasses.of(
                          settings.text(key + "terminal"),
                          settings.text(key + "pause"),
                          sqlStateOf,
                          away),
                      settings.flag(key + "pause.counts"),
                      settings.integer(key + "history"));
                })
            .toList());
  }

  /**
   * The policy of this name.
   *
   * @throws IllegalArgumentException naming the configured policies
   */
  public RetryPolicy get(String name) {
    RetryPolicy policy = byName.get(name);
    if (policy == null) {
      throw new IllegalArgumentException(
          "no retry policy is called "
              + name
              + Suggestion.hint(name, byName.keySet())
              + "; policies are lines policy.<name>.* of application.properties");
    }
    return policy;
  }
}
