package io.failureledger.handler;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a handler is interrupted, and when it is given up. */
@Timeout(60)
class HandlerDeadlineTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger givenUp = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  /** As a handler that takes its time to react. */
  private void handle() throws InterruptedException {
    begun.countDown();
    try {
      done.await();
    } catch (InterruptedException e) {
      interrupted.countDown();
      done.await();
    }
  }

  @Test
  void aHandlerThatStoodStillWithItsProcessIsGivenUpATimeOutAfterItsInterruptAndNotBefore()
      throws Exception {
    try (HandlerDeadline deadline = new HandlerDeadline(TIMEOUT, nanos::get);
        DefaultCamelContext camel = new DefaultCamelContext()) {
      deadline.onStuckThread((route, thread, timeout) -> givenUp.incrementAndGet());
      camel.addRoutePolicyFactory(new HandlerGuard(deadline, exchange -> {}));
      camel.addRoutes(
          new RouteBuilder() {
            @Override
            public void configure() {
              from("direct:handle-own").routeId("handle-own").process(exchange -> handle());
            }
          });
      camel.start();
      try (ProducerTemplate template = camel.createProducerTemplate()) {
        var sent = template.asyncSendBody("direct:handle-own", null);
        assertThat(begun.await(10, SECONDS)).isTrue();
        nanos.addAndGet(TIMEOUT.multipliedBy(10).toNanos());
        assertThat(interrupted.await(10, SECONDS)).isTrue();
        nanos.addAndGet(TIMEOUT.toNanos() - 1);
        await().during(500, MILLISECONDS).atMost(30, SECONDS).until(() -> givenUp.get() == 0);
        nanos.incrementAndGet();
        await().atMost(30, SECONDS).until(() -> givenUp.get() == 1);
        done.countDown();
        assertThat(sent).failsWithin(Duration.ofSeconds(10));
      }
    }
  }
}
