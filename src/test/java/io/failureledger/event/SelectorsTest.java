package io.failureledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectorsTest {
  private static final Selectors SELECTORS =
      new Selectors(
          List.of("shop", "webhook"),
          "header:type",
          "header:shop",
          "json:/id",
          "json:/user/id",
          "json:/updated_at");

  private static Envelope envelope(byte[] body, Header... headers) {
    return new Envelope(
        "f",
        "e",
        "s",
        null,
        null,
        null,
        null,
        Instant.EPOCH,
        null,
        null,
        null,
        List.of(headers),
        body);
  }

  @Test
  void theIdentityIsMadeOfAllItsHeadersOrOfNone() {
    assertThat(SELECTORS.identity(List.of(Header.of("webhook", "w"), Header.of("shop", "a"))))
        .isEqualTo("a/w");
    assertThat(SELECTORS.identity(List.of(Header.of("shop", "a")))).isNull();
    assertThat(SELECTORS.identity(List.of(Header.of("webhook", ""), Header.of("shop", "a"))))
        .isNull();
  }

  @Test
  void headersAndBodySayWhatAnEventIs() {
    byte[] body =
        "{\"id\":820982911946154508,\"user\":{\"id\":\"u1\"},\"updated_at\":\"2026-01-02T03:04:05+02:00\"}"
            .getBytes(UTF_8);
    Envelope described =
        SELECTORS.describe(
            envelope(body, Header.of("X-Type", "orders/create"), Header.of("shop", "a")));
    assertThat(described.type()).isEqualTo("orders/create");
    assertThat(described.tenant()).isEqualTo("a");
    assertThat(described.subject()).isEqualTo("820982911946154508");
    assertThat(described.userId()).isEqualTo("u1");
    assertThat(described.sourceTime()).isEqualTo("2026-01-02T01:04:05Z");
  }

  @Test
  void aBodyThatIsNoJsonOrSaysNothingAddsNothing() {
    for (byte[] body :
        new byte[][] {
          null,
          {},
          {0, 0, 42},
          "[]".getBytes(UTF_8),
          "{\"user\":{\"id\":null},\"updated_at\":\"soon\"}".getBytes(UTF_8)
        }) {
      Envelope described = SELECTORS.describe(envelope(body));
      assertThat(described.userId()).isNull();
      assertThat(described.sourceTime()).isEqualTo(Instant.EPOCH);
    }
  }

  @Test
  void aSelectorThatSelectsNothingIsRefused() {
    assertThatThrownBy(() -> new Selectors(List.of(), "body", "", "", "", ""))
        .hasMessage("'body' selects nothing: allowed are header:<name>, json:/<pointer> and empty");
  }
}
