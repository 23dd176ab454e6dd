package io.failureledger.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.batch.BatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** A batch handler that a test commands: it notes each batch, then does what it is told. */
final class BatchProbe implements Processor {
  /** What the handler is to do with a batch. */
  interface Order {
    void on(Exchange exchange, List<BatchEvent> batch) throws Exception;
  }

  static final Order SUCCEED = (exchange, batch) -> {};

  private final List<List<String>> seen = new CopyOnWriteArrayList<>();
  private final ProbeHandler alone;
  private volatile Order order = SUCCEED;

  /**
   * @param alone the handler of the same feed
   */
  BatchProbe(ProbeHandler alone) {
    this.alone = alone;
  }

  void order(Order next) {
    order = next;
  }

  /** Fails each batch and each event with one of these texts as its body or id. */
  void failAt(String... bad) {
    List<String> named = List.of(bad);
    order =
        (exchange, batch) -> batch.forEach(one -> refuse(named, text(one.body()), one.eventId()));
    alone.order(
        exchange ->
            refuse(
                named,
                exchange.getMessage().getBody(String.class),
                exchange.getMessage().getHeader("event-id", String.class)));
  }

  private static void refuse(List<String> named, String body, String id) {
    if (named.contains(body) || named.contains(id)) {
      throw new IllegalStateException("the probe was told to fail at " + body);
    }
  }

  /** Bodies of each batch. */
  List<List<String>> seen() {
    return seen;
  }

  /** Events that came in batches. */
  int events() {
    return seen.stream().mapToInt(List::size).sum();
  }

  /** How often each body was given to a handler, in a batch or alone. */
  Map<String, Long> runs() {
    List<String> all = new ArrayList<>();
    seen.forEach(all::addAll);
    alone.seen().forEach(event -> all.add(text(event.body())));
    return all.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  /** No event was given to a handler more than twice: in a batch, and alone. */
  void assertAtMostTwice() {
    assertThat(runs().values()).isNotEmpty().allMatch(runs -> runs <= 2);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(Exchange exchange) throws Exception {
    List<BatchEvent> batch = exchange.getMessage().getBody(List.class);
    seen.add(batch.stream().map(one -> text(one.body())).toList());
    order.on(exchange, batch);
  }

  static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
