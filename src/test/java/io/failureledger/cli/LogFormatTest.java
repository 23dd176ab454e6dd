package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LogFormatTest {

  private static String line(String format, String message, Map<String, String> mdc)
      throws Exception {
    LoggerContext context = new LoggerContext();
    context.putProperty("failureledger.log.format", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFormatTest.class.getResource("/logback.xml"));
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    OutputStreamAppender<ILoggingEvent> console =
        (OutputStreamAppender<ILoggingEvent>) root.getAppender("console");
    LoggingEvent event = new LoggingEvent("fqcn", root, Level.INFO, message, null, null);
    event.setMDCPropertyMap(mdc);
    return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void textShowsAnEventsContextWhereThereIsOne() throws Exception {
    assertThat(line("text", "parked", Map.of("feed", "shopify", "event_id", "a b#1")))
        .endsWith(" parked feed=shopify event_id=a b#1" + System.lineSeparator());
    assertThat(line("text", "started", Map.of())).endsWith(" started" + System.lineSeparator());
  }

  @Test
  void aLineBreakInAValueCannotFakeALine() throws Exception {
    assertThat(line("text", "one\ntwo", Map.of("event_id", "x\r\n2026 ERROR fake")).strip().lines())
        .hasSize(1);
  }

  @Test
  void jsonCarriesTheContextAsFields() throws Exception {
    assertThat(line("json", "parked \"it\"", Map.of("feed", "shopify", "traceparent", "00-1")))
        .contains(
            "\"formattedMessage\":\"parked \\\"it\\\"\"",
            "\"feed\":\"shopify\"",
            "\"traceparent\":\"00-1\"")
        .hasLineCount(1);
  }
}
