package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** The handlers alone: reading before writing, and no error kept from the caller. */
class HandlerTest extends RouteTest {
  private static final Map<String, Object> ORDER_CREATED =
      Map.of("X-Shopify-Topic", "orders/create", "X-Shopify-Shop-Domain", "acme.myshopify.com");

  @Test
  void anOrderIsReadItsTargetFoundAndThenWritten() {
    assertThat(send("direct:handle-shopify", Events.ORDER, ORDER_CREATED).getException()).isNull();
    assertThat(steps.ran())
        .containsExactly(
            "answer-compliance-request", "read-snapshot", "refuse-open-target", "write-snapshot");
  }

  @Test
  void aReceiptIsReadAndThenMerged() {
    Exchange done = send("direct:handle-consumer-graph", Events.RECEIPT, Map.of());
    assertThat(done.getException()).isNull();
    assertThat(steps.ran()).containsExactly("read-receipt", "merge-receipt");
  }

  @Test
  void aMalformedOrderWritesNothingAndFails() {
    Exchange done = send("direct:handle-shopify", "[]".getBytes(UTF_8), ORDER_CREATED);
    assertThat(done.getException()).isNotNull();
    assertThat(steps.ran()).containsExactly("answer-compliance-request", "read-snapshot");
  }

  @Test
  void aMalformedReceiptWritesNothingAndFails() {
    Exchange done = send("direct:handle-consumer-graph", "{}".getBytes(UTF_8), Map.of());
    assertThat(done.getException()).isNotNull();
    assertThat(steps.ran()).containsExactly("read-receipt");
  }

  @Test
  void whatATargetThrowsReachesTheCallerAsItIs() {
    IOException thrown = new IOException("connection reset");
    parts.target =
        exchange -> {
          throw thrown;
        };
    assertThat(send("direct:handle-shopify", Events.ORDER, ORDER_CREATED).getException())
        .isSameAs(thrown);
    assertThat(send("direct:handle-consumer-graph", Events.RECEIPT, Map.of()).getException())
        .isSameAs(thrown);
    assertThat(steps.ran()).doesNotContain("make-row", "acknowledge");
  }
}
