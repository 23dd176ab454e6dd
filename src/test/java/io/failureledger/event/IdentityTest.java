package io.failureledger.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
  @Test
  void aShortPrintableIdentityStaysAsItIs() {
    assertThat(Identity.of("acme.myshopify.com/w-1 ü")).isEqualTo("acme.myshopify.com/w-1 ü");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "a\uD800b", "\uDC00"})
  void anIdentityThatNoColumnHoldsIsHashed(String raw) {
    assertThat(Identity.of(raw)).matches("sha256:[0-9a-f]{64}").isEqualTo(Identity.of(raw));
  }

  @Test
  void identitiesThatDifferOnlyInWhatCannotBeStoredStayApart() {
    assertThat(List.of("a\uD800", "a\uD801", "a\u0000", "a\uFFFD").stream().map(Identity::of))
        .doesNotHaveDuplicates();
  }

  @Test
  void aLongIdentityIsHashedAndBounded() {
    assertThat(Identity.of("x".repeat(10_000))).hasSizeLessThanOrEqualTo(Identity.MAX_LENGTH);
    assertThat(Identity.of("x".repeat(10_000))).isNotEqualTo(Identity.of("x".repeat(10_001)));
  }

  @Test
  void otherBytesUnderOneIdentityGetOneOfTheirOwnThatFits() {
    String longest = "x".repeat(Identity.MAX_LENGTH);
    assertThat(Identity.withContent("e1", "ab")).isEqualTo("e1#ab");
    assertThat(Identity.withContent(longest, "ab"))
        .endsWith("#ab")
        .hasSizeLessThanOrEqualTo(Identity.MAX_LENGTH)
        .isNotEqualTo(Identity.withContent(longest.substring(1), "ab"));
  }
}
