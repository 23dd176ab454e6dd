package io.failureledger.operate;

/** What the operator named is not there. Nothing was changed. The message is one sentence. */
public final class NotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotFoundException(String sentence) {
    super(sentence);
  }
}
