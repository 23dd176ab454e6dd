package io.failureledger.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Error patterns and caps of policies: what is refused, and what is only wondered at. */
class PolicySettingsTest {
  @TempDir private Path home;
  private final Properties file = new Properties();

  PolicySettingsTest() {
    file.setProperty("ledger.url", "jdbc:postgresql://db:5432/ledger");
    file.setProperty("ledger.username", "runner");
  }

  private Settings read() {
    return SettingsReader.read(
        home, new Sources(new Properties(), new Properties(), Map.of(), file));
  }

  private List<String> problems() {
    try {
      read();
    } catch (InvalidSettingsException e) {
      return e.problems();
    }
    return List.of();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http:404",
        "sqlstate:",
        "sqlstate:08*",
        "sqlstate:080066",
        "sqlstate:57p",
        "java.io.*,",
        ",java.io.*",
        "ConnectException",
        "java..Foo",
        "java.io.IOException!",
        "a b.C"
      })
  void aPatternThatIsNoneIsRefused(String patterns) {
    file.setProperty("policy.ledger.pause", patterns);
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("policy.ledger.pause=" + patterns + " is not allowed; it must be class names");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.net.*Exception",
        "*.ConnectException",
        "*Exception",
        "org.acme.Outer$Inner, sqlstate:08",
        "sqlstate:57P"
      })
  void aPatternMayBeAClassNameWithStarsOrASqlstate(String patterns) {
    file.setProperty("policy.ledger.pause", patterns);
    file.setProperty("policy.own.terminal", patterns);
    file.setProperty("policy.own.pause", "");
    assertThat(problems()).isEmpty();
    assertThat(read().text("policy.own.pause")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "**", "*.*", "java.io.*,*"})
  void everyFailureTerminalIsRefused(String patterns) {
    file.setProperty("policy.own.terminal", patterns);
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("policy.own.terminal names *")
        .endsWith("which is every failure: no event would be retried.");
  }

  @Test
  void onePatternIsNotTerminalAndPausingAtOnce() {
    file.setProperty("policy.own.terminal", "java.io.*, java.net.UnknownHostException");
    file.setProperty("policy.own.pause", "java.net.UnknownHostException");
    assertThat(problems())
        .containsExactly(
            "policy.own.terminal and policy.own.pause both name java.net.UnknownHostException; it can be one of them.");
  }

  @Test
  void whetherAPauseCountsIsTrueOrFalse() {
    assertThat(read().flag("policy.ledger.pause.counts")).isFalse();
    assertThat(read().flag("policy.persist.pause.counts")).isTrue();
    file.setProperty("policy.ledger.pause.counts", "sometimes");
    file.setProperty("policy.ledger.pause.count", "true");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "policy.ledger.pause.counts=sometimes is not allowed; it must be true or false.",
            "unknown setting policy.ledger.pause.count; did you mean policy.ledger.pause.counts?");
  }

  @Test
  void aCapThatNoDelayReachesIsWonderedAtAndAllowed() {
    file.setProperty("policy.own.attempts", "4");
    assertThat(read().warnings())
        .containsExactly(
            "policy.own.cap=60m is never reached: with base, factor and attempts as they are the longest delay is 480000 ms");
    file.setProperty("policy.own.cap", "8m");
    assertThat(read().warnings()).isEmpty();
  }

  @Test
  void theShippedPoliciesRaiseNoWonder() {
    assertThat(read().warnings()).isEmpty();
    file.setProperty("policy.ledger.attempts", "4");
    assertThat(read().warnings()).hasSize(1);
  }
}
