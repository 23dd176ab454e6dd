package io.failureledger.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The resolved settings: programmatic overrides over -D over environment over file over defaults.
 * Immutable and read once: a change of the file takes effect at the next start. Every value was
 * found allowed, so the typed getters do not fail for keys of the catalogue.
 */
public final class Settings {

  private static final List<String> ALWAYS_SHOWN =
      List.of(
          "ledger.url",
          "kafka.brokers",
          "pubsub.project",
          "graph.uri",
          "management.host",
          "management.port",
          "instance.name");

  private final Path home;
  private final SortedMap<String, Setting> known;
  private final SortedMap<String, String> values;

  Settings(Path home, SortedMap<String, Setting> known, SortedMap<String, String> values) {
    this.home = home;
    this.known = Collections.unmodifiableSortedMap(known);
    this.values = Collections.unmodifiableSortedMap(values);
  }

  /**
   * Reads {@code <home>/application.properties}.
   *
   * @throws InvalidSettingsException naming every problem
   */
  public static Settings load(Path home, Properties overrides) {
    return load(home, home.resolve("application.properties"), overrides);
  }

  /**
   * Reads the file, the environment and -D, and puts the overrides over all of them.
   *
   * @param home where routes/ and kamelets/ are, and what relative files are relative to
   * @throws InvalidSettingsException naming every problem
   */
  public static Settings load(Path home, Path file, Properties overrides) {
    return SettingsReader.read(home.toAbsolutePath().normalize(), Sources.of(file, overrides));
  }

  /** The home directory, absolute. */
  public Path home() {
    return home;
  }

  /** The value as written; empty when it is unset and may be. */
  public String text(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no such setting: " + key);
    }
    return value;
  }

  /** Whether the value is not empty. */
  public boolean has(String key) {
    return !text(key).isEmpty();
  }

  /** A whole number. */
  public int integer(String key) {
    return Integer.parseInt(text(key));
  }

  /** A number, such as a policy's factor. */
  public double number(String key) {
    return Double.parseDouble(text(key));
  }

  /** A duration. */
  public Duration duration(String key) {
    return Durations.parse(text(key));
  }

  /** A list of durations, in the written order, at least one. */
  public List<Duration> durations(String key) {
    return Arrays.stream(text(key).split(",", -1)).map(Durations::parse).toList();
  }

  /** True or false. */
  public boolean flag(String key) {
    return Boolean.parseBoolean(text(key));
  }

  /**
   * The names of all retry policies: those that come with the bundle and those that the settings
   * add.
   */
  public SortedSet<String> policyNames() {
    return known.keySet().stream()
        .flatMap(key -> PolicySettings.nameIn(key).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What is allowed and most likely not meant, a sentence each, for the log at the start. */
  public List<String> warnings() {
    return policyNames().stream()
        .flatMap(name -> PolicySettings.warning(name, this::text).stream())
        .toList();
  }

  /**
   * All resolved values, an engineer's own keys included, so that a placeholder in a route means
   * the same as here.
   */
  public Properties asProperties() {
    Properties properties = new Properties();
    properties.putAll(values);
    return properties;
  }

  /**
   * One line for the log: the essential settings and all that differ from their default, secrets
   * masked.
   */
  public String effective() {
    SortedMap<String, String> shown = new TreeMap<>();
    for (Map.Entry<String, String> entry : values.entrySet()) {
      Setting setting = known.get(entry.getKey());
      if (setting == null) {
        shown.put(entry.getKey(), Masking.shown(entry.getKey(), entry.getValue()));
      } else if (ALWAYS_SHOWN.contains(setting.key())
          || !setting.defaultValue().equals(entry.getValue())) {
        shown.put(entry.getKey(), Masking.shown(setting, entry.getValue()));
      }
    }
    return shown.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" ", "settings: ", ""));
  }
}
