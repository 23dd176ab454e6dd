package io.failureledger.replay;

import io.failureledger.batch.BatchEvent;
import io.failureledger.batch.BatchRun;
import io.failureledger.batch.Batched;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.HandlerCalls;
import io.failureledger.handler.HandlerDeadline.Abandonable;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.handler.NotTriedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;

/**
 * Replays whose events a batch handler gets together. Each comes to an outcome of its own, or waits
 * for a turn of its own. A batch handler that does not end fails all of them.
 */
final class ReplayBatch implements Abandonable {
  private final Feed feed;
  private final ReplayWindow window;
  private final CamelContext context;
  private final Consumer<List<Replay>> runner;
  private final List<Member> members = new ArrayList<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile boolean hasStarted;

  /**
   * @param runner runs one that is to be run alone
   */
  ReplayBatch(Feed feed, ReplayWindow window, CamelContext context, Consumer<List<Replay>> runner) {
    this.feed = feed;
    this.window = window;
    this.context = context;
    this.runner = runner;
  }

  /** One replay of the batch. */
  private record Member(Replay replay, BatchEvent event, Consumer<List<Replay>> runner)
      implements Batched {
    @Override
    public void succeeded(String reason, String target) {
      replay.resolved(reason, target);
    }

    @Override
    public void failed(Exception failure, String target) {
      if (failure instanceof NotTriedException untried) {
        replay.notTried(untried, target);
      } else {
        replay.failed(failure, target);
      }
    }

    @Override
    public void runAlone() {
      replay.again(runner);
    }
  }

  /** Adds a replay whose turn has come. One whose event cannot be read fails by that. */
  void add(Replay replay) {
    try {
      Claim claim = replay.claim();
      BatchEvent event = new BatchEvent(claim.envelope(), context, claim.replays() + 1);
      members.add(new Member(replay, event, runner));
    } catch (RuntimeException unreadable) {
      replay.failed(unreadable, null);
    }
  }

  /** Runs the batch handler and tells each replay what came of it. */
  void run(HandlerCalls handlers) {
    if (members.size() < 2) {
      members.forEach(Member::runAlone);
      return;
    }
    Exchange exchange = new DefaultExchange(context);
    exchange.setProperty(EventProperties.ABANDONABLE, this);
    exchange.setProperty(EventProperties.PROBE, false);
    BatchRun run = new BatchRun(feed, members, exchange).run(handlers);
    if (!isOver.compareAndSet(false, true)) {
      window.returnThread();
    } else if (hasStarted) {
      run.tell();
    } else {
      // The handler is not there, because the bundle starts or stops.
      members.forEach(member -> member.replay().released());
    }
  }

  @Override
  public void begun() {
    hasStarted = true;
    members.forEach(member -> member.replay().begun(members.size()));
  }

  @Override
  public void abandon(HandlerTimeoutException timeout) {
    if (isOver.compareAndSet(false, true)) {
      window.replaceThread();
      members.forEach(member -> member.replay().failed(timeout, null));
    }
  }
}
