package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A bundle that was given no backfill endpoint. */
class NoBackfillTest extends RouteTest {
  @Override
  Map<String, String> settings() {
    return Map.of("backfill.url", "");
  }

  @Test
  void withoutAnEndpointNoRouteAsksForUsersButTheyAreCollected() {
    assertThat(context.getRoute("backfill-users")).isNull();
    assertThat(context.getRoute("backfill-users-batch")).isNull();
    assertThat(context.getRoute("collect-dead-letter-users-consumer-graph")).isNotNull();
  }
}
