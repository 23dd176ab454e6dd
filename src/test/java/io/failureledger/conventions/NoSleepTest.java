package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Nothing waits by sleeping: tests await a condition, the product a schedule or a signal. */
class NoSleepTest {
  private static final Pattern SLEEP =
      Pattern.compile("\\b(Thread|TimeUnit|MILLISECONDS|SECONDS)\\s*\\.\\s*sleep\\s*\\(");

  /** The start's wait for a ledger that is away: on the main thread, interruptible, injected. */
  private static final String AT_THE_START =
      "src/main/java/io/failureledger/ledger/LedgerWait.java";

  private static Set<String> sleeping(Map<String, String> files) {
    Set<String> sleeping = new TreeSet<>();
    files.forEach(
        (path, text) -> {
          if (SLEEP.matcher(text).find()) {
            sleeping.add(path);
          }
        });
    return sleeping;
  }

  @Test
  void noTestSleepsAndNoPartOfARunningBundle() {
    assertThat(sleeping(Sources.below(".java", Sources.MAIN, Sources.TEST, "routes")))
        .containsExactly(AT_THE_START);
  }

  @Test
  void aFileThatSleepsIsFound() {
    assertThat(sleeping(Sources.below(".java", "src/test/resources/conventions")))
        .containsExactly("src/test/resources/conventions/Sleeper.java");
  }
}
