package io.failureledger.scenario;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.camel.Exchange;

/** A target: notes each event that has its effect, and fails those it is told to. */
final class Effects implements ProbeHandler.Order {
  private final List<String> had = new CopyOnWriteArrayList<>();
  private volatile Predicate<String> failing = event -> false;

  /** From now on fails these, named {@code key:value}. */
  Effects fail(Predicate<String> told) {
    failing = told;
    return this;
  }

  /** What had its effect, as {@code key:value}, in its order. */
  List<String> had() {
    return had;
  }

  List<String> ofKey(String key) {
    return had.stream().filter(event -> event.startsWith(key + ":")).toList();
  }

  static String name(Envelope event) {
    return new String(event.key(), StandardCharsets.UTF_8)
        + ":"
        + new String(event.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void on(Exchange exchange) {
    String name = name(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class));
    if (failing.test(name)) {
      throw new IllegalStateException("the target refuses " + name);
    }
    had.add(name);
  }
}
