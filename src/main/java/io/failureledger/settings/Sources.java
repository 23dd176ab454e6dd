package io.failureledger.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where values come from, strongest first: overrides by a program, -D, the environment, the file.
 * Values are stripped of white space at both ends.
 */
record Sources(
    Properties overrides, Properties system, Map<String, String> environment, Properties file) {

  private static final Set<String> PREFIXES =
      Stream.concat(Catalogue.single().stream().map(Setting::key), Stream.of("policy."))
          .map(key -> key.substring(0, key.indexOf('.') + 1))
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Reads the file as UTF-8 and takes this process's -D values and environment. A file that is not
   * there is refused.
   */
  static Sources of(Path file, Properties overrides) {
    Properties read = new Properties();
    if (!Files.isReadable(file)) {
      throw new InvalidSettingsException(List.of("the settings file " + file + " cannot be read."));
    }
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      read.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidSettingsException(
          List.of(
              "the settings file "
                  + file
                  + " is not a properties file in UTF-8: "
                  + e.getMessage()
                  + "."));
    }
    return new Sources(overrides, System.getProperties(), System.getenv(), read);
  }

  /** The value of the key, or empty when no source has it. */
  Optional<String> value(String key) {
    return Stream.of(
            overrides.getProperty(key),
            system.getProperty(key),
            fromEnvironment(key),
            file.getProperty(key))
        .filter(value -> value != null)
        .findFirst()
        .map(String::strip);
  }

  /**
   * Every key that somebody meant for us: all of the file and the overrides, and -D under one of
   * our prefixes.
   */
  Set<String> keys() {
    Set<String> keys = new TreeSet<>(file.stringPropertyNames());
    keys.addAll(overrides.stringPropertyNames());
    system.stringPropertyNames().stream().filter(Sources::ours).forEach(keys::add);
    return keys;
  }

  /**
   * One-word keys are parameters of templates and kamelets; a variable PROJECT is not meant for
   * them.
   */
  private String fromEnvironment(String key) {
    return key.indexOf('.') < 0 ? null : environment.get(variable(key));
  }

  /** The environment's name for a key: ledger.url is LEDGER_URL. */
  static String variable(String key) {
    return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static boolean ours(String key) {
    return PREFIXES.stream().anyMatch(key::startsWith);
  }
}
