package io.failureledger.operate;

/**
 * What is there stands against what the operator wants. Nothing was changed. The message is one
 * sentence.
 */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConflictException(String sentence) {
    super(sentence);
  }
}
