package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.feeds.MemoryBroker;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** A broker that this project does not know is one class and one template. */
class ThirdBrokerTest extends RouteTest {
  @Override
  String routeFiles() {
    return super.routeFiles() + ",file:src/test/resources/routes/memory.camel.yaml";
  }

  @Test
  void anEventOfItIsParkedUnderItsOwnIdentityAndAcknowledgedOnce() {
    Exchange done =
        send("direct:ingest-memory", "hello".getBytes(UTF_8), Map.of(MemoryBroker.ID, "m1"));
    assertThat(done.getException()).isNull();
    assertThat(ledger.parametersOf("failed_event/park-event"))
        .containsEntry("feed", "memory")
        .containsEntry("event_id", "memory/letters/m1")
        .containsEntry("source", "memory/letters/m1")
        .containsEntry("body", "hello".getBytes(UTF_8));
    assertThat(parts.memory.acknowledged).containsExactly("m1");
  }
}
