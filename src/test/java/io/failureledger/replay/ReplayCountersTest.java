package io.failureledger.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.failureledger.ledger.FailedEvents.Settled;
import io.failureledger.observe.EventCounters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class ReplayCountersTest {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(ReplayCounters.class);

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stop() {
    log.detachAppender(lines);
    MDC.clear();
  }

  private static Outcome held(long id) {
    return new Outcome(
        ReplayWindowTest.claim(id, 0, false),
        ReplayWindowTest.FEED,
        Outcome.Kind.RESCHEDULE,
        null,
        Duration.ofMinutes(1),
        null,
        null,
        null,
        Duration.ZERO);
  }

  @Test
  void whatBecameOfAnEventIsToldInItsNameAndNotInThatOfTheOneTheThreadRan() {
    MDC.put("feed", "another");
    MDC.put("event_id", "the thread's own");
    MDC.put("traceparent", "the thread's own");
    List<Outcome> slice = Stream.of(1L, 2L).map(ReplayCountersTest::held).toList();
    List<Settled> written = Stream.of(1L, 2L).map(id -> new Settled(id, 1, "pending")).toList();
    new ReplayCounters().count(slice, written, new EventCounters(new SimpleMeterRegistry()));
    assertThat(lines.list)
        .extracting(ILoggingEvent::getMDCPropertyMap)
        .containsExactly(
            Map.of("feed", "slow", "event_id", "e1"), Map.of("feed", "slow", "event_id", "e2"));
  }
}
