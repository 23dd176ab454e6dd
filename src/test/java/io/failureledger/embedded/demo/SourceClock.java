package io.failureledger.embedded.demo;

import java.time.Instant;

/** The source's own time: every state of anything has a second of its own. */
public final class SourceClock {
  private Instant now = Instant.parse("2026-01-01T08:00:00Z");

  Instant next() {
    now = now.plusSeconds(1);
    return now;
  }
}
