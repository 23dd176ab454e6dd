package io.failureledger.cli;

/** A command could not do its work; the message is one sentence for the operator. */
final class CommandFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CommandFailedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
