package io.failureledger.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MaskingTest {

  @Test
  void passwordsInsideUrlsAreHidden() {
    assertThat(Masking.inUrls("bolt://neo:s3cret@graph:7687"))
        .isEqualTo("bolt://neo:***@graph:7687");
    assertThat(Masking.inUrls("jdbc:postgresql://h/d?sslpassword=a&x=1&password=b;token=c"))
        .isEqualTo("jdbc:postgresql://h/d?sslpassword=***&x=1&password=***;token=***");
  }

  @Test
  void aUrlWithoutASecretStaysAsItIs() {
    assertThat(Masking.inUrls("jdbc:postgresql://one:5432,two:5432/d"))
        .isEqualTo("jdbc:postgresql://one:5432,two:5432/d");
  }

  @Test
  void aKeyThatSoundsLikeASecretIsHidden() {
    assertThat(Masking.shown("orders.api-key", "x")).isEqualTo("***");
    assertThat(Masking.shown("orders.limit", "5")).isEqualTo("5");
  }

  @Test
  void maskingTwiceChangesNothing() {
    String once = Masking.inUrls("bolt://neo:s3cret@graph?password=x");
    assertThat(Masking.inUrls(once)).isEqualTo(once);
  }
}
