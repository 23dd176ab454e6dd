package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import java.net.ConnectException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler that fails in every way that handlers fail, as its seed, the event and the attempt say:
 * with each error class, late, at its time-out, and long after it was given up. One for all
 * instances of a process, whose standing still it notes too.
 */
final class CampaignHandler implements ProbeHandler.Order, AutoCloseable {
  /** What no repeat cures. */
  static final class HopelessException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What a campaign's handler throws when it fails. */
  static final class ToldToFailException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ToldToFailException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static final String ONLY_TARGET = "the-target";
  private static final Logger LOG = LoggerFactory.getLogger(CampaignHandler.class);
  private static final CountDownLatch NEVER = new CountDownLatch(1);
  private static final Duration REMOVED = Duration.ofSeconds(20);
  private static final long BEAT_MILLIS = 100;
  private static final long STALL_MILLIS = 600;

  private final long seed;
  private final String process;
  private final CampaignTarget target;
  private volatile boolean closed;

  /**
   * @param process how the names of this process's instances begin
   */
  CampaignHandler(long seed, String process, CampaignTarget target) {
    this.seed = seed;
    this.process = process;
    this.target = target;
    Thread watch = new Thread(this::watch, "campaign-watch");
    watch.setDaemon(true);
    watch.start();
  }

  @Override
  public void on(Exchange exchange) throws Exception {
    Instant began = Instant.now();
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    String event = Effects.name(envelope);
    int attempt = exchange.getMessage().getHeader("attempt", Integer.class);
    String aim = exchange.getProperty("target", ONLY_TARGET, String.class);
    Set<String> flags = target.flags();
    if (flags.contains(CampaignTarget.away(aim))) {
      throw new ToldToFailException(aim, new ConnectException("refused"));
    }
    if (!flags.contains(CampaignTarget.CALM)) {
      if (flags.contains(CampaignTarget.bug(envelope.feed()))) {
        throw new ToldToFailException("a bug", null);
      }
      misbehave(event, attempt);
    }
    String instance = exchange.getContext().resolvePropertyPlaceholders("{{instance.name}}");
    target.effect(envelope.feed(), event, instance, attempt, began);
    if (roll(event, attempt + 1_000_000) < 20 && !flags.contains(CampaignTarget.CALM)) {
      rest(50 + roll(event, attempt) % 350);
    }
  }

  private void misbehave(String event, int attempt) throws Exception {
    int roll = roll(event, attempt);
    if (roll < 260) {
      throw new ToldToFailException("told to fail", null);
    } else if (roll < 275) {
      throw new ToldToFailException("told that nobody is there", new ConnectException("refused"));
    } else if (roll < 279) {
      throw new HopelessException();
    } else if (roll < 320) {
      rest(20 + roll * 7L % 280);
    } else if (roll < (attempt == 0 ? 322 : 328)) {
      rest(30_000);
    } else if (roll > 995 && roll(event, attempt + 500) < (attempt == 0 ? 8 : 400)) {
      if (attempt == 0) {
        // All members of the feed's group are removed from it before its route is started again.
        target.stall(CampaignJournal.ALL, Instant.now(), Instant.now().plus(REMOVED));
      }
      restWhateverComes(Duration.ofMillis(2_200 + roll(event, attempt + 200) * 4L));
    }
  }

  /** From 0 to 999. */
  private int roll(String event, int salt) {
    return new SplittableRandom(seed * 31 + event.hashCode() * 1_000_003L + salt).nextInt(1_000);
  }

  private static void rest(long millis) throws InterruptedException {
    if (NEVER.await(millis, MILLISECONDS)) {
      throw new IllegalStateException("never came");
    }
  }

  /** As a call that nothing interrupts. */
  private static void restWhateverComes(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      try {
        rest((end - System.nanoTime()) / 1_000_000 + 1);
      } catch (InterruptedException ignoredOnPurpose) {
        LOG.debug("interrupted, and goes on");
      }
    }
  }

  private void watch() {
    Instant before = Instant.now();
    while (!closed) {
      try {
        rest(BEAT_MILLIS);
        Instant now = Instant.now();
        if (Duration.between(before, now).toMillis() > STALL_MILLIS) {
          target.stall(process, before, now);
        }
        before = now;
      } catch (InterruptedException | SQLException e) {
        LOG.warn("the watch over stalls failed", e);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    target.close();
  }
}
