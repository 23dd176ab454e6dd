package io.failureledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OrderedSubjectTest {
  private static String of(String key) {
    return OrderedSubject.of(key.getBytes(UTF_8));
  }

  @Test
  void aShortPrintableKeyIsReadAsItIs() {
    assertThat(of("user-42 ü")).isEqualTo("user-42 ü");
    assertThat(of("")).isEmpty();
  }

  @Test
  void aRecordWithoutAKeyHasNone() {
    assertThat(OrderedSubject.of(null)).isNull();
  }

  @Test
  void whatNoColumnHoldsIsHashed() {
    for (byte[] key :
        List.of(
            new byte[] {0, 1},
            new byte[] {(byte) 0xff},
            "a\nb".getBytes(UTF_8),
            "x".repeat(201).getBytes(UTF_8))) {
      assertThat(OrderedSubject.of(key)).matches("sha256:[0-9a-f]{64}");
    }
    assertThat(of("x".repeat(200))).hasSize(200);
  }

  @Test
  void keysNeverBecomeOneSubject() {
    byte[] one = {(byte) 0xff, 1};
    byte[] other = {(byte) 0xfe, 1};
    String hashed = OrderedSubject.of(one);
    assertThat(List.of(hashed, OrderedSubject.of(other), of(hashed), of("\uFFFD\u0001")))
        .doesNotHaveDuplicates();
  }
}
