package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The time of day of an instance decides nothing. A route from {@code timer:} waits by it: when it
 * is set back by hours, the next round is hours away. One from {@code scheduler:} waits by a clock
 * that only goes forward.
 */
class ClocksTest {
  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    for (Flow flow : file.flows()) {
      if (flow.fromUri().startsWith("timer:") || flow.fromUri().startsWith("quartz:")) {
        problems.add(flow.at("waits by the time of day; take scheduler:"));
      }
    }
    return problems;
  }

  @Test
  void noRouteWaitsByTheTimeOfDay() {
    assertThat(RouteFile.routes()).isNotEmpty().flatExtracting(ClocksTest::problems).isEmpty();
  }

  @Test
  void aRouteThatDoesIsFound() {
    RouteFile file =
        RouteFile.of("routes/a.camel.yaml", "- route: {id: a, from: {uri: 'timer:a', steps: []}}");
    assertThat(problems(file)).singleElement().asString().contains("scheduler:");
  }
}
