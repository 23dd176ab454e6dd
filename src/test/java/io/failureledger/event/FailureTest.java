package io.failureledger.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTest {
  private static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message for you");
    }
  }

  private static RuntimeException chain(int depth) {
    RuntimeException failure = new RuntimeException("root " + "x".repeat(3_000));
    for (int i = 1; i < depth; i++) {
      failure = new RuntimeException("level " + i, failure);
    }
    return failure;
  }

  @Test
  void theRootNamesTheTypeAndTheMessagesOfTheChainAreKept() {
    Failure failure =
        Failure.of(new RuntimeException("outer", new IllegalArgumentException("inner")));
    assertThat(failure.type()).isEqualTo("java.lang.IllegalArgumentException");
    assertThat(failure.message()).isEqualTo("outer: inner");
    assertThat(failure.stackTrace()).contains("outer", "inner", "FailureTest");
  }

  @Test
  void allTextIsBoundedHoweverLongTheChain() {
    Failure failure = Failure.of(chain(200));
    assertThat(failure.message()).hasSizeLessThanOrEqualTo(2_000);
    assertThat(failure.stackTrace()).hasSizeLessThanOrEqualTo(16_000);
  }

  @Test
  void whatCannotBeStoredIsReplaced() {
    assertThat(Failure.of(new IllegalStateException("bad\u0000id")).message())
        .isEqualTo("bad\uFFFDid");
  }

  @Test
  void anExceptionThatFailsToSpeakIsRecordedAllTheSame() {
    assertThat(Failure.of(new BrokenException()).message()).contains("cannot be read");
  }

  @Test
  void failuresOfOneCauseShareAFingerprintAndOthersDoNot() {
    Failure one = Failure.of(new IllegalStateException("row 1"));
    Failure other = Failure.of(new IllegalStateException("row 2"));
    assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
    assertThat(one.fingerprint()).isNotEqualTo(Failure.of(chain(2)).fingerprint());
  }
}
