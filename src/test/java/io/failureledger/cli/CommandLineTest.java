package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.ledger.LedgerRefusedException;
import io.failureledger.replay.Retry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    return App.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  @Test
  void helpNamesTheCommandsAndTheExitCodes() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "run ", "migrate ", "retry ", "feed ", "Exit codes:", "bad usage, settings or routes");
  }

  @Test
  void versionIsOneLine() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).startsWith("failure-ledger ").hasLineCount(1);
  }

  @Test
  void noCommandIsBadUsage() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString()).contains("no command given").hasLineCount(1);
  }

  @Test
  void anUnknownOptionIsBadUsageInOneLine() {
    assertThat(execute("retry", "--limt", "5")).isEqualTo(2);
    assertThat(err.toString()).contains("--limt", "failure-ledger retry --help").hasLineCount(1);
  }

  @Test
  void aLimitOutOfRangeIsBadUsage() {
    assertThat(execute("retry", "--limit", "0")).isEqualTo(2);
    assertThat(execute("retry", "--limit", "10001")).isEqualTo(2);
    assertThat(execute("retry", "--event-id", "0")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--limit=0 is not allowed; it must be from 1 to 10000", "--event-id=0");
  }

  @Test
  void aFeedCommandWithoutItsVerbOrNameIsBadUsage() {
    assertThat(execute("feed")).isEqualTo(2);
    assertThat(err.toString()).contains("feed pause, feed resume or feed list").hasLineCount(1);
    assertThat(execute("feed", "pause")).isEqualTo(2);
    assertThat(execute("feed", "pause", "shopify", "--reason", "x".repeat(501))).isEqualTo(2);
    assertThat(err.toString()).contains("NAME", "--reason is not allowed");
  }

  @Test
  void badSettingsAreExitCodeTwoWithoutAStackTrace() throws Exception {
    Path file = Files.writeString(directory.resolve("bad.properties"), "replay.batchsize=1\n");
    for (String command : new String[] {"run", "migrate", "retry"}) {
      assertThat(execute(command, "--config", file.toString())).isEqualTo(2);
    }
    assertThat(err.toString()).contains("did you mean replay.batch.size?").doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aMissingSettingsFileIsExitCodeTwo() {
    assertThat(execute("run", "--config", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("cannot be read");
  }

  @Test
  void verboseAddsTheStackTrace() {
    assertThat(execute("run", "--verbose", "--config", directory.resolve("none").toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("\tat ");
  }

  @Test
  void theResultLineIsAContract() {
    assertThat(RetryCommand.line(new Retry.Result(5, 3, 2)))
        .isEqualTo("Retried=5 resolved=3 failed=2");
  }

  @Test
  void aSentenceForPeopleIsFoundInsideOtherExceptions() {
    CommandLine command = App.commandLine().setErr(new PrintWriter(err));
    Exception wrapped =
        new IllegalStateException(
            "noise", new LedgerRefusedException("grant it.", new Exception("deep")));
    assertThat(Failures.report(wrapped, command, false)).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("grant it.");
  }
}
