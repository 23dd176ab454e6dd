package io.failureledger.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.failureledger.feeds.Feed;
import io.failureledger.feeds.MemoryBroker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;

class TargetSharesTest {
  private static final Feed FEED =
      new Feed(
          "shops", new MemoryBroker(), null, "memory", null, null, null, null, null, false, null);

  private final AtomicLong now = new AtomicLong();
  private final TargetShares shares =
      new TargetShares(0.125, Duration.ofSeconds(1), Duration.ofSeconds(60), 8, now::get);
  private final DefaultCamelContext context = new DefaultCamelContext();

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private Exchange replay(String target) {
    Exchange exchange = new DefaultExchange(context);
    shares.begin(FEED, target, 1, true, exchange);
    return exchange;
  }

  private TargetBusyException refused(String target) {
    return catchThrowableOfType(TargetBusyException.class, () -> replay(target));
  }

  @Test
  void aHandlerThatDoesNotEndKeepsItsPlaceUntilItDoes() {
    shares.ended(replay("quick"));
    Exchange hung = replay("slow");
    pass(9);
    assertThat(refused("slow").delay()).as("what is known of the run").isEqualTo(seconds(9));
    shares.ended(hung);
    assertThatCode(() -> replay("slow")).doesNotThrowAnyException();
  }

  @Test
  void othersAreNotRefused() {
    shares.ended(replay("quick"));
    replay("slow");
    pass(9);
    shares.ended(replay("quick"));
    replay("quick");
    assertThatCode(() -> replay("quick")).doesNotThrowAnyException();
  }

  @Test
  void ingestAndReplayHaveAShareEach() {
    Exchange exchange = new DefaultExchange(context);
    shares.begin(FEED, "slow", 1, false, exchange);
    pass(9);
    assertThatCode(() -> replay("slow")).doesNotThrowAnyException();
  }

  @Test
  void aStepThatIsThereTwiceTakesOnePlace() {
    shares.ended(replay("quick"));
    Exchange exchange = replay("slow");
    pass(2);
    assertThatCode(() -> shares.begin(FEED, "slow", 1, true, exchange)).doesNotThrowAnyException();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
