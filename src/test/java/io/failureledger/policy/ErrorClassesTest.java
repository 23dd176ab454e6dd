package io.failureledger.policy;

import static io.failureledger.policy.ErrorClass.PAUSE;
import static io.failureledger.policy.ErrorClass.RETRY;
import static io.failureledger.policy.ErrorClass.TERMINAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Patterns over a cause chain. An exception's SQLSTATE is made up: JDBC stays outside. */
class ErrorClassesTest {
  private static final class Nested extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class WithState extends Exception {
    private static final long serialVersionUID = 1L;

    WithState(String state) {
      super(state);
    }
  }

  private static final class Away extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static ErrorClass of(String terminal, String pause, Throwable thrown) {
    return ErrorClasses.of(
            terminal,
            pause,
            t -> t instanceof WithState state ? state.getMessage() : null,
            t -> t instanceof Away)
        .of(thrown);
  }

  @Test
  void whatMatchesNoPatternIsRetried() {
    assertThat(of("", "", new IllegalStateException())).isEqualTo(RETRY);
    assertThat(of("java.io.*", "sqlstate:08", new IllegalStateException())).isEqualTo(RETRY);
  }

  @Test
  void aClassIsFoundByItsNameWithStarsForAnyCharacters() {
    Throwable refused = new ConnectException("refused");
    Map.of(
            "java.net.ConnectException", TERMINAL,
            "java.net.*", TERMINAL,
            "*.Connect*", TERMINAL,
            "*ConnectException", TERMINAL,
            "java.net.Connect", RETRY,
            "javaXnet.ConnectException", RETRY,
            "java.net.SocketException", RETRY)
        .forEach((pattern, found) -> assertThat(of(pattern, "", refused)).isEqualTo(found));
  }

  @Test
  void aTargetThatIsAwayPausesWhateverThePatternsSayUnlessItIsTerminal() {
    assertThat(of("", "", new Away())).isEqualTo(PAUSE);
    assertThat(of("", "java.io.*", new Away())).isEqualTo(PAUSE);
    assertThat(of("*.ErrorClassesTest.Away", "", new Away())).isEqualTo(TERMINAL);
  }

  @Test
  void aNestedClassIsFoundUnderBothItsNames() {
    String outer = "io.failureledger.policy.ErrorClassesTest";
    assertThat(of(outer + "$Nested", "", new Nested())).isEqualTo(TERMINAL);
    assertThat(of(outer + ".Nested", "", new Nested())).isEqualTo(TERMINAL);
    assertThat(of(outer, "", new Nested())).isEqualTo(RETRY);
  }

  @Test
  void aSqlstateIsFoundByItsPrefix() {
    assertThat(of("", "sqlstate:08", new WithState("08006"))).isEqualTo(PAUSE);
    assertThat(of("", "sqlstate:57P", new WithState("57014"))).isEqualTo(RETRY);
    assertThat(of("", "sqlstate:08", new WithState(null))).isEqualTo(RETRY);
    assertThat(of("", "sqlstate:08", new RuntimeException("08006"))).isEqualTo(RETRY);
  }

  @Test
  void theWholeCauseChainIsLookedThrough() {
    Throwable wrapped = new RuntimeException(new IllegalStateException(new WithState("28P01")));
    assertThat(of("", "sqlstate:28", wrapped)).isEqualTo(PAUSE);
    assertThat(of("*.IllegalStateException", "", wrapped)).isEqualTo(TERMINAL);
  }

  @Test
  void terminalIsAskedBeforePauseWhereverInTheChainTheyAre() {
    Throwable both = new ConnectException("refused");
    both.initCause(new IllegalArgumentException());
    assertThat(of("*.IllegalArgumentException", "*.ConnectException", both)).isEqualTo(TERMINAL);
  }

  @Test
  void aChainThatRunsInACircleEnds() {
    Exception one = new Exception();
    one.initCause(new Exception(one));
    assertThat(of("java.io.*", "sqlstate:08", one)).isEqualTo(RETRY);
  }

  @Test
  void spacesAroundPatternsDoNotMatter() {
    assertThat(of("java.io.*, java.net.*", "", new ConnectException())).isEqualTo(TERMINAL);
  }
}
