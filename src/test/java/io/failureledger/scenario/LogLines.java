package io.failureledger.scenario;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** What this process logs while it is open. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Queue<String> traces = new ConcurrentLinkedQueue<>();

  public static LogLines since() {
    LogLines lines = new LogLines();
    lines.start();
    root().addAppender(lines);
    return lines;
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getLoggerName() + " " + event.getFormattedMessage());
    if (event.getThrowableProxy() != null) {
      traces.addAll(ThrowableProxyUtil.asString(event.getThrowableProxy()).lines().toList());
    }
  }

  /** Lines that say this, in whatever case. */
  public List<String> with(String words) {
    return lines.stream().filter(line -> line.toLowerCase(Locale.ROOT).contains(words)).toList();
  }

  /** All that was said, and the lines of all stack traces. */
  List<String> all() {
    return Stream.concat(lines.stream(), traces.stream()).toList();
  }

  @Override
  public void close() {
    root().detachAppender(this);
    stop();
  }
}
