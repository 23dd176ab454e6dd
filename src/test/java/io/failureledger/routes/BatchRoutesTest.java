package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.batch.BatchEvent;
import io.failureledger.batch.Batched;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.Header;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.MemoryBroker;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.junit.jupiter.api.Test;

/** handle-<feed>-batch at ingest, and what comes to ingest-<feed> after it. */
class BatchRoutesTest extends RouteTest {
  private static final String PARK = "failed_event/park-event";

  /** Ids of each batch, and of each event that was run alone. */
  private final List<List<String>> batches = new ArrayList<>();

  private final List<String> alone = new ArrayList<>();
  private final List<String> delivered = new ArrayList<>();
  private final List<Exception> returned = new ArrayList<>();

  private Processor handler = exchange -> {};
  private Processor batchHandler = exchange -> {};

  @BindToRegistry("alone")
  private final Processor runAlone =
      exchange -> {
        alone.add(exchange.getMessage().getHeader("event-id", String.class));
        handler.process(exchange);
      };

  @BindToRegistry("together")
  private final Processor runTogether =
      exchange -> {
        batches.add(events(exchange).stream().map(BatchEvent::eventId).toList());
        batchHandler.process(exchange);
      };

  @SuppressWarnings("unchecked")
  private static List<BatchEvent> events(Exchange exchange) {
    return exchange.getMessage().getBody(List.class);
  }

  @Override
  String routeFiles() {
    return super.routeFiles()
        + ",file:src/test/resources/routes/memory.camel.yaml,file:src/test/resources/routes/letters.camel.yaml";
  }

  /** A message whose consumer hands it to its route, when it is to be run alone. */
  private final class Letter implements Batched {
    private final String id;
    private final BatchEvent event;

    Letter(String id) {
      this.id = id;
      event =
          parts.batches.event(
              new Envelope(
                  "letters",
                  "memory/batches/" + id,
                  "test",
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  List.of(Header.of("Colour", "red")),
                  id.getBytes(UTF_8)));
    }

    @Override
    public BatchEvent event() {
      return event;
    }

    @Override
    public void succeeded(String reason, String target) {
      delivered.add(id + (reason == null ? "" : " " + reason));
    }

    @Override
    public void failed(Exception failure, String target) {
      toRoute(
          Map.of(MemoryBroker.ID, id, MemoryBroker.FAILED, new EarlierFailure(failure, target)));
    }

    @Override
    public void runAlone() {
      toRoute(Map.of(MemoryBroker.ID, id));
    }

    private void toRoute(Map<String, Object> headers) {
      Exception thrown = send("direct:ingest-letters", id.getBytes(UTF_8), headers).getException();
      if (thrown != null) {
        returned.add(thrown);
      }
    }
  }

  private void arrive(String... ids) {
    Feed feed = parts.feeds.get("letters");
    parts.batches.run(feed, Stream.of(ids).map(Letter::new).toList());
  }

  private List<Object> parked() {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals(PARK))
        .map(call -> call.parameters().get("event_id"))
        .toList();
  }

  @Test
  void whatABatchDeliversNeverComesToItsRoute() {
    batchHandler =
        exchange -> {
          BatchEvent second = events(exchange).get(1);
          assertThat(second.headers())
              .containsEntry("Colour", "red")
              .containsEntry("event-id", "memory/batches/2")
              .containsEntry("attempt", 0);
          assertThat(second.headers().get("colour")).isEqualTo("red");
          assertThat(second.idempotencyKey()).isEqualTo(second.eventId());
          assertThat(second.feed()).isEqualTo("letters");
          second.supersede();
        };
    arrive("1", "2", "3");
    assertThat(batches)
        .containsExactly(List.of("memory/batches/1", "memory/batches/2", "memory/batches/3"));
    assertThat(delivered).containsExactly("1", "2 superseded", "3");
    assertThat(steps.ran()).isEmpty();
    assertThat(alone).isEmpty();
    assertThat(parts.memory.acknowledged).isEmpty();
    assertThat(ledger.calls()).isEmpty();
    assertThat(counted("failure_ledger_events_consumed", "letters")).isEqualTo(3);
    assertThat(counted("failure_ledger_events_delivered", "letters")).isEqualTo(3);
    assertThat(counted("failure_ledger_events_superseded", "letters")).isEqualTo(1);
  }

  @Test
  void ofABatchWithOneBadEventTheOthersAreDeliveredAlone() {
    batchHandler =
        exchange -> {
          throw new IllegalStateException("one of them is bad");
        };
    handler =
        exchange -> {
          if (exchange.getMessage().getBody(String.class).equals("2")) {
            throw new IllegalStateException("this one");
          }
        };
    arrive("1", "2", "3");
    assertThat(batches).hasSize(1);
    assertThat(alone).containsExactly("memory/batches/1", "memory/batches/2", "memory/batches/3");
    assertThat(delivered).isEmpty();
    assertThat(parked()).containsExactly("memory/batches/2");
    assertThat(parts.memory.acknowledged).containsExactly("1", "2", "3");
    assertThat(counted("failure_ledger_events_consumed", "letters")).isEqualTo(3);
    assertThat(counted("failure_ledger_events_delivered", "letters")).isEqualTo(2);
    assertThat(counted("failure_ledger_events_parked", "letters")).isEqualTo(1);
  }

  @Test
  void anErrorOfABatchHandlerIsAFailureLikeAnyOther() {
    batchHandler =
        exchange -> {
          throw new StackOverflowError("too deep");
        };
    arrive("1", "2");
    assertThat(alone).hasSize(2);
    assertThat(parts.memory.acknowledged).containsExactly("1", "2");
  }

  @Test
  void aFailureThatConcernsAllOfABatchParksAllOfThemAndRunsNoneAgain() {
    batchHandler =
        exchange -> {
          exchange.setProperty(EventProperties.TARGET, "the-office");
          events(exchange).get(0).body()[0] = 'x';
          throw new ConnectException("refused");
        };
    arrive("1", "2");
    assertThat(batches).hasSize(1);
    assertThat(alone).isEmpty();
    assertThat(parked()).containsExactly("memory/batches/1", "memory/batches/2");
    assertThat(ledger.calls().get(0).parameters())
        .containsEntry("target", "the-office")
        .containsEntry("error_type", "java.net.ConnectException")
        .containsEntry("error_class", "pause")
        .containsEntry("body", "1".getBytes(UTF_8));
    assertThat(parts.memory.acknowledged).containsExactly("1", "2");
    assertThat(counted("failure_ledger_events_parked", "letters")).isEqualTo(2);
    assertThat(counted("failure_ledger_events_delivered", "letters")).isZero();
  }

  @Test
  void whatOfABatchCannotBeParkedIsReturned() {
    batchHandler =
        exchange -> {
          throw new ConnectException("refused");
        };
    ledger.fails(PARK, "08006");
    arrive("1", "2");
    assertThat(returned).singleElement().isInstanceOf(EventReturnedException.class);
    assertThat(parts.memory.acknowledged).containsExactly("2");
  }

  @Test
  void anEventByItselfIsRunAloneAtOnce() {
    arrive("1");
    assertThat(batches).isEmpty();
    assertThat(alone).containsExactly("memory/batches/1");
    assertThat(parts.memory.acknowledged).containsExactly("1");
  }
}
