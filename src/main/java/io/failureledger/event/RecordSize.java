package io.failureledger.event;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Bytes that an event takes on a topic of ours: key, body, and its headers as they came or as
 * {@link HeaderJson}, whichever is more.
 */
public final class RecordSize {
  /** Bytes that encoding the headers may add before the event counts as larger than it was. */
  private static final int ENCODING_SLACK = 64 * 1024;

  private RecordSize() {}

  public static long of(Envelope envelope) {
    return of(envelope.headers(), envelope.key(), envelope.body());
  }

  public static long of(List<Header> headers, byte[] key, byte[] body) {
    long content = (key == null ? 0L : key.length) + (body == null ? 0L : body.length);
    long raw = 0;
    for (Header header : headers) {
      raw += header.name().length() + (header.value() == null ? 0L : header.value().length);
    }
    long encoded = HeaderJson.write(headers).getBytes(StandardCharsets.UTF_8).length;
    return content + Math.max(raw, encoded - ENCODING_SLACK);
  }
}
