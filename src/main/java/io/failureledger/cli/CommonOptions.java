package io.failureledger.cli;

import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.Properties;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** What every command takes: where the settings are and how much to say when it fails. */
public final class CommonOptions {

  private static final String VERBOSE = "--verbose";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The settings file; by default application.properties in the home directory.")
  private Path config;

  @Option(names = VERBOSE, description = "Show the stack trace when the command fails.")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  /** Whether the command line asks for the stack trace. */
  public static boolean verbose(ParseResult parsed) {
    return parsed.asCommandLineList().stream()
        .anyMatch(command -> command.getParseResult().hasMatchedOption(VERBOSE));
  }

  /**
   * The directory that holds routes/ and application.properties: -Dfailureledger.home, else the
   * current one.
   */
  Path home() {
    return Path.of(System.getProperty("failureledger.home", "")).toAbsolutePath().normalize();
  }

  /** Reads and checks the settings, then points logging to the target. No logger exists before. */
  Settings settings(LogTarget target) {
    Path home = home();
    Path file =
        config == null
            ? home.resolve("application.properties")
            : config.toAbsolutePath().normalize();
    Settings settings = Settings.load(home, file, new Properties());
    target.prepare(settings);
    return settings;
  }
}
