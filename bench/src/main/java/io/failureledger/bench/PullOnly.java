package io.failureledger.bench;

import com.google.pubsub.v1.ReceivedMessage;
import java.util.List;

/** What the Pub/Sub emulator itself can: loops that pull and acknowledge, and do nothing else. */
final class PullOnly implements Contender {
  private final ShopWork work;

  PullOnly(ShopWork work) {
    this.work = work;
  }

  @Override
  public String name() {
    return "emulator, pull and ack only";
  }

  @Override
  public double rate(int size) throws Exception {
    try (Backlog backlog = work.backlog(size)) {
      return PlainShops.measured(
          backlog,
          work.loops(),
          () -> {
            while (!backlog.isDone()) {
              List<ReceivedMessage> messages = backlog.pull(work.held());
              if (!messages.isEmpty()) {
                backlog.acknowledge(messages);
              }
            }
          });
    }
  }
}
