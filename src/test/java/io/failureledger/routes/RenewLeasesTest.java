package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** renew-leases, with two handlers and claims that have waited for them long enough. */
class RenewLeasesTest extends RouteTest {
  private static final String CLAIM = "failed_event/claim-due";
  private static final String RENEW = "failed_event/renew-leases";
  private static final String RENEW_LEASES = "direct:renew-leases";

  private final CountDownLatch go = new CountDownLatch(1);

  @Override
  Map<String, String> settings() {
    // Half a second after its claim a lease is renewed.
    return Map.of("replay.lease", "3100ms", "handler.timeout", "1s");
  }

  /** Claims so many, of which two are run until the test says go. */
  private void claim(int count) throws InterruptedException {
    CountDownLatch running = new CountDownLatch(2);
    parts.target =
        exchange -> {
          running.countDown();
          go.await(30, SECONDS);
        };
    ledger.finds(
        CLAIM, LongStream.rangeClosed(1, count).mapToObj(id -> Events.claimed(id, 0)).toList());
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(running.await(30, SECONDS)).isTrue();
  }

  private void renewUntilTheLedgerIsAsked() {
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              assertThat(send(RENEW_LEASES, null, Map.of()).getException()).isNull();
              return ledger.statements().contains(RENEW);
            });
  }

  /** Outcomes, in however many slices they came. */
  private List<String> settled() {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals("failed_event/settle-outcomes"))
        .flatMap(call -> Stream.of((String[]) call.parameters().get("outcomes")))
        .toList();
  }

  @Test
  void theLedgerIsNotAskedWhenNoClaimWaits() {
    Exchange done = send(RENEW_LEASES, null, Map.of());
    assertThat(done.getException()).isNull();
    assertThat(ledger.calls()).isEmpty();
  }

  @Test
  void onlyClaimsThatWaitAreRenewed() throws InterruptedException {
    claim(4);
    ledger.finds(RENEW, List.of(Map.of("id", 3L), Map.of("id", 4L)));
    renewUntilTheLedgerIsAsked();
    assertThat((long[]) ledger.parametersOf(RENEW).get("ids")).containsExactly(3, 4);
    assertThat((long[]) ledger.parametersOf(RENEW).get("tokens")).hasSize(2);
    go.countDown();
  }

  @Test
  void aClaimThatCouldNotBeRenewedIsNotRun() throws InterruptedException {
    claim(3);
    ledger.finds(RENEW, List.of());
    renewUntilTheLedgerIsAsked();
    go.countDown();
    await().atMost(30, SECONDS).until(() -> settled().size() == 3);
    assertThat(settled()).containsExactlyInAnyOrder("resolve", "resolve", "release");
    assertThat(steps.ranOf("merge-receipt")).hasSize(2);
  }
}
