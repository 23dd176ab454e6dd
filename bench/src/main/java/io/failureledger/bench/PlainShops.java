package io.failureledger.bench;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import io.failureledger.bench.OrderStatements.Event;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Loops that pull with Google's client, parse, run the printed statements, and acknowledge. */
final class PlainShops implements Contender {
  static final String BATCHES = "plain, same batches";
  static final String SINGLY = "plain, one commit an event";

  private final ShopWork work;
  private final int most;
  private double perTransaction;

  /**
   * @param most events of a transaction at most
   */
  PlainShops(ShopWork work, int most) {
    this.work = work;
    this.most = most;
  }

  @Override
  public String name() {
    return most == 1 ? SINGLY : BATCHES;
  }

  double perTransaction() {
    return perTransaction;
  }

  @Override
  public double rate(int size) throws Exception {
    work.shops().empty(OrderStatements.CREATE);
    Queue<ShopConnections> connections = new ConcurrentLinkedQueue<>(work.connections());
    double rate;
    try (Backlog backlog = work.backlog(size)) {
      rate =
          measured(
              backlog,
              connections.size(),
              () -> {
                try (ShopConnections own = connections.remove()) {
                  while (!backlog.isDone()) {
                    List<ReceivedMessage> messages = backlog.pull(work.held());
                    if (!messages.isEmpty()) {
                      own.write(messages.stream().map(m -> event(m.getMessage())).toList(), most);
                      backlog.acknowledge(messages);
                    }
                  }
                }
              });
    }
    perTransaction = work.shops().perTransaction(work.orders().orders(size));
    return rate;
  }

  /** What a loop does. */
  interface Loop {
    void run() throws Exception;
  }

  /** The rate at which so many loops acknowledge the backlog. */
  static double measured(Backlog backlog, int loops, Loop loop) throws Exception {
    FutureTask<Void> running =
        new FutureTask<>(
            () -> {
              Threads.run(
                  loops,
                  () -> {
                    loop.run();
                    return null;
                  });
              return null;
            });
    new Thread(running, "loops").start();
    double rate = backlog.rate();
    try {
      running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a loop failed", e);
    }
    return rate;
  }

  private static Event event(PubsubMessage message) {
    Map<String, String> headers = message.getAttributesMap();
    return new Event(
        headers.get("X-Shopify-Shop-Domain"),
        headers.get("X-Shopify-Webhook-Id"),
        headers.get("X-Shopify-Triggered-At"),
        message.getData().toByteArray());
  }
}
