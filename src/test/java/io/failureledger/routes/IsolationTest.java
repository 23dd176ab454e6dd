package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.Home;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A feed says what it consumes of transactions by one of two words. */
class IsolationTest {
  @Test
  void anyOtherWordIsRefusedWithWhatIsAllowed() {
    assertThatThrownBy(
            () ->
                HomeStart.of(
                    Home.with("probe", "probe-pubsub"), Map.of("probe.isolation", "committed")))
        .hasStackTraceContaining(
            "the feed probe has isolation=committed; allowed are read_committed and read_uncommitted");
  }
}
