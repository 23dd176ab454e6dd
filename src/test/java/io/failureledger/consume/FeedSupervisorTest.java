package io.failureledger.consume;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.MemoryBroker;
import io.failureledger.feeds.PresentLedger;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.RouteMeters;
import io.failureledger.scenario.Hang;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Routes of one bundle whose handlers hang. */
@Timeout(60)
class FeedSupervisorTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final DefaultCamelContext context = new DefaultCamelContext();
  private final Hang hang = new Hang();
  private final MemoryBroker broker = new MemoryBroker();
  private final Feeds feeds = new Feeds();
  private FeedSupervisor supervisor;
  private volatile Exchange first;

  private void start(Duration patience) throws Exception {
    feeds.add(new Feed("a", broker, null, "memory/a", null, null, null, null, null, false, null));
    supervisor =
        new FeedSupervisor(
            feeds,
            List.of(Duration.ofMillis(100)),
            new PresentLedger(),
            new RouteMeters(registry),
            new EventCounters(registry),
            patience);
    context.addRoutePolicyFactory(supervisor);
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("timer:a?delay=0&period=100")
                .routeId("ingest-a")
                .autoStartup(false)
                .process(FeedSupervisorTest.this::hangOnce);
            from("timer:b?delay=0").routeId("ingest-b").autoStartup(false).log("b");
          }
        });
    context.start();
    supervisor.supervise("ingest-a", () -> {});
    supervisor.supervise("ingest-b", () -> {});
    supervisor.start(context);
    awaitStatus("ingest-b", ServiceStatus.Started);
    await().atMost(30, SECONDS).until(() -> hang.thread() != null);
  }

  private void hangOnce(Exchange exchange) {
    if (hang.thread() == null) {
      first = exchange;
      hang.once();
      throw new IllegalStateException("it ended late");
    }
  }

  private void awaitStatus(String route, ServiceStatus status) {
    await()
        .atMost(30, SECONDS)
        .until(() -> context.getRouteController().getRouteStatus(route) == status);
  }

  private double restarts() {
    return registry.get("failure_ledger_route_restarts").tag("route", "ingest-a").counter().count();
  }

  @AfterEach
  void stop() {
    hang.end();
    context.stop();
    supervisor.close();
  }

  @Test
  void aFailureThatComesLateDoesNotStopTheRunThatIsUnderWay() throws Exception {
    start(Duration.ofMillis(100));
    supervisor.failed("ingest-a", new IllegalStateException("its handler is stuck"));
    await().atMost(30, SECONDS).until(() -> restarts() == 1);
    hang.end();
    await().atMost(30, SECONDS).until(() -> !hang.thread().isAlive());
    assertThat(supervisor.waiting()).isEmpty();
    assertThat(restarts()).isOne();
  }

  @Test
  void aMessageThatAnEarlierRunHoldsGoesBackWithoutStoppingTheRunThatIsUnderWay() throws Exception {
    start(Duration.ofMillis(100));
    supervisor.failed("ingest-a", new IllegalStateException("its subscription is gone"));
    await().atMost(30, SECONDS).until(() -> restarts() == 1);
    supervisor.threadIsStuck(
        first, hang.thread(), HandlerTimeoutException.givenUp("handle-a", Duration.ofSeconds(1)));
    assertThat(broker.freed).containsExactly(hang.thread());
    assertThat(supervisor.waiting()).isEmpty();
  }

  @Test
  void aRouteThatDoesNotStopForLongKeepsNoOtherFromStoppingAndStarting() throws Exception {
    start(Duration.ofMinutes(1));
    supervisor.hold("ingest-a", "paused");
    supervisor.hold("ingest-b", "paused");
    awaitStatus("ingest-b", ServiceStatus.Stopped);
    supervisor.hold("ingest-b", null);
    awaitStatus("ingest-b", ServiceStatus.Started);
    assertThat(context.getRouteController().getRouteStatus("ingest-a").isStopped()).isFalse();
    hang.end();
    awaitStatus("ingest-a", ServiceStatus.Stopped);
  }
}
