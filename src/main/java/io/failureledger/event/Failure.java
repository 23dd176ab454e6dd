package io.failureledger.event;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What is kept of an exception: bounded, storable text, and a fingerprint that is equal for
 * failures of one cause. Never throws for what an exception holds.
 */
public record Failure(String type, String message, String stackTrace, String fingerprint) {
  private static final int MAX_TYPE = 200;
  private static final int MAX_MESSAGE = 2_000;
  private static final int MAX_STACK = 16_000;
  private static final int MAX_DEPTH = 10;

  public static Failure of(Throwable thrown) {
    List<String> messages = new ArrayList<>();
    StringBuilder print = new StringBuilder();
    Throwable root = thrown;
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < MAX_DEPTH; t = t.getCause(), depth++) {
      String message = message(t);
      if (messages.stream().noneMatch(m -> m.contains(message))) {
        messages.add(message);
      }
      print.append(t.getClass().getName()).append('|');
      root = t;
    }
    if (root.getStackTrace().length > 0) {
      StackTraceElement frame = root.getStackTrace()[0];
      print.append(frame.getClassName()).append('.').append(frame.getMethodName());
    }
    return new Failure(
        Text.bounded(root.getClass().getName(), MAX_TYPE),
        Text.bounded(String.join(": ", messages), MAX_MESSAGE),
        Text.bounded(stack(thrown), MAX_STACK),
        crc(print));
  }

  private static String message(Throwable t) {
    String message;
    try {
      message = t.getMessage();
    } catch (RuntimeException broken) {
      message = "its message cannot be read: " + broken.getClass().getName();
    }
    return message == null ? t.getClass().getSimpleName() : message;
  }

  private static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    try {
      thrown.printStackTrace(new PrintWriter(text));
    } catch (RuntimeException broken) {
      text.append("its stack trace cannot be printed: ").append(broken.getClass().getName());
    }
    return text.toString();
  }

  private static String crc(CharSequence print) {
    CRC32 crc = new CRC32();
    crc.update(print.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
