package io.failureledger.cli;

import io.failureledger.settings.Settings;

/**
 * Where log lines go. The settings reach logback as system properties, which it reads when the
 * first logger is made.
 */
enum LogTarget {
  STDOUT("System.out"),
  STDERR("System.err");

  private final String stream;

  LogTarget(String stream) {
    this.stream = stream;
  }

  /** Takes effect only when no logger was made before. */
  void prepare(Settings settings) {
    System.setProperty("failureledger.log.target", stream);
    System.setProperty("failureledger.log.format", settings.text("log.format"));
    System.setProperty("failureledger.log.level", settings.text("log.level"));
  }
}
