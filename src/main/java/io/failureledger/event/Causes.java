package io.failureledger.event;

/** Says in one line why something failed: the messages along the cause chain, without repeats. */
public final class Causes {
  private static final int MAX = 500;

  private Causes() {}

  public static String sentence(Throwable failure) {
    StringBuilder sentence = new StringBuilder();
    int depth = 0;
    for (Throwable t = failure; t != null && depth < 10; t = t.getCause(), depth++) {
      String line = message(t).strip().lines().findFirst().orElse("");
      if (sentence.indexOf(line) < 0) {
        sentence.append(sentence.isEmpty() ? "" : ": ").append(line);
      }
    }
    return Text.bounded(sentence.toString(), MAX);
  }

  /** Whoever asks has a failure in hand already: an exception that cannot say its own is none. */
  private static String message(Throwable t) {
    try {
      String message = t.getMessage();
      return message == null ? t.getClass().getSimpleName() : message;
    } catch (RuntimeException broken) {
      return "its message cannot be read: " + broken.getClass().getName();
    }
  }
}
