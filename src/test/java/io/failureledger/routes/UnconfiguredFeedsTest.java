package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.scenario.LogLines;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** find-unconfigured-feeds: rows that are nobody's are told of once, and not each round. */
class UnconfiguredFeedsTest extends RouteTest {
  private static final String FIND = "failed_event/find-unconfigured-feeds";

  private final LogLines log = LogLines.since();

  @AfterEach
  void close() {
    log.close();
  }

  private void look(String... feeds) {
    ledger.finds(FIND, Stream.of(feeds).map(feed -> Map.<String, Object>of("feed", feed)).toList());
    assertThat(send("direct:find-unconfigured-feeds", null, Map.of()).getException()).isNull();
  }

  private List<String> told() {
    return log.with("not configured");
  }

  @Test
  void theConfiguredFeedsAreLeftOut() {
    look();
    assertThat((Object[]) ledger.parametersOf(FIND).get("feeds"))
        .containsExactlyInAnyOrder("shopify", "consumer-graph");
    assertThat(told()).isEmpty();
  }

  @Test
  void theyAreNamedOnceAndAgainOnlyWhenTheyChange() {
    look("gone", "renamed");
    look("gone", "renamed");
    assertThat(told())
        .singleElement()
        .asString()
        .contains("gone, renamed", "Put their route files back, or move or discard their rows");
    look("gone");
    look("gone");
    assertThat(told()).hasSize(2);
    look();
    look();
    assertThat(told())
        .hasSize(3)
        .last()
        .asString()
        .contains("no feed has unresolved rows any more");
  }
}
