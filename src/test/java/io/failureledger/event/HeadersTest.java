package io.failureledger.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeadersTest {
  private static final HeaderRules ALL = new HeaderRules("*");

  private static List<String> kept(HeaderRules rules, String... names) {
    return rules.keep(List.of(names).stream().map(name -> Header.of(name, "v")).toList()).stream()
        .map(Header::name)
        .toList();
  }

  @Test
  void whatAComponentWouldObeyIsNeverKept() {
    assertThat(
            kept(
                ALL,
                "CamelHttpUri",
                "camelFileName",
                "org.apache.camel.x",
                "kafka.TOPIC",
                "googclient_deliveryattempt",
                "Authorization",
                "X-Shopify-Topic"))
        .containsExactly("X-Shopify-Topic");
  }

  @Test
  void onlyAllowedHeadersAreKeptWithoutCaseAndInOrder() {
    assertThat(
            kept(
                new HeaderRules("x-shopify-*, traceparent"),
                "traceparent",
                "other",
                "X-Shopify-B",
                "X-Shopify-A"))
        .containsExactly("traceparent", "X-Shopify-B", "X-Shopify-A");
  }

  @Test
  void anAllowListIsNoRegularExpression() {
    assertThat(kept(new HeaderRules("a.b"), "a.b", "axb")).containsExactly("a.b");
  }

  @Test
  void orderRepeatsNullsAndBytesSurviveJson() {
    List<Header> headers =
        List.of(
            Header.of("a", "text \"quoted\" ü"),
            new Header("a", null),
            new Header("b", new byte[] {0, 1, (byte) 0xFF}),
            Header.of("a", ""),
            Header.of("nul", "x\u0000y"));
    List<Header> read = HeaderJson.read(HeaderJson.write(headers));
    assertThat(read).hasSameSizeAs(headers);
    for (int i = 0; i < headers.size(); i++) {
      assertThat(read.get(i).name()).isEqualTo(headers.get(i).name());
      assertThat(read.get(i).value()).isEqualTo(headers.get(i).value());
    }
    assertThat(HeaderJson.write(headers)).doesNotContain("\\u0000");
  }

  @Test
  void whatIsNoListOfHeadersIsRefused() {
    assertThatThrownBy(() -> HeaderJson.read("[{\"name\":"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a list of headers");
  }

  @Test
  void headersAreFoundWithoutCaseAndWithOrWithoutX() {
    List<Header> headers =
        List.of(Header.of("X-Shopify-Topic", "old"), Header.of("shopify-topic", "new"));
    assertThat(Envelope.lookUp(headers, "Shopify-Topic")).isEqualTo("new");
    assertThat(Envelope.lookUp(headers, "X-SHOPIFY-TOPIC")).isEqualTo("new");
    assertThat(Envelope.lookUp(headers, "topic")).isNull();
  }
}
