package io.failureledger.embedded.pubsub;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Google Pub/Sub on a local port, as far as this project relies on it: publishing, streaming and
 * unary pull, acknowledgement, deadlines, retry and dead-letter policies, ordering keys, flow
 * control. Filters, exactly-once, push, snapshots and seek are refused, not ignored.
 *
 * <p>Everything is in memory: a kill or a close loses topics, subscriptions and messages.
 */
public final class PubSubEmulator implements AutoCloseable {

  private static final int MAXIMUM_REQUEST_BYTES = 20 * 1024 * 1024;
  private static final long END_SECONDS = 5;

  private final Broker broker;
  private final Server server;

  private PubSubEmulator(Broker broker, Server server) {
    this.broker = broker;
    this.server = server;
  }

  /** Plants the seed, then opens the port. */
  public static PubSubEmulator start(int port, PubSubSeed seed) {
    Broker broker = new Broker();
    seed.plant(broker);
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                InsecureServerCredentials.create())
            .addService(new PublisherCalls(broker))
            .addService(new SubscriberCalls(broker))
            .maxInboundMessageSize(MAXIMUM_REQUEST_BYTES)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .build();
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException("pubsub did not start on port " + port, e);
    }
    broker.startClock();
    return new PubSubEmulator(broker, server);
  }

  public int port() {
    return server.getPort();
  }

  /** Messages of a subscription that nobody has acknowledged: waiting, delayed or delivered. */
  public int unacknowledged(String subscription) {
    return broker.queue(subscription).unacknowledged();
  }

  /** Messages that a subscriber has and did neither acknowledge nor nack. */
  public int leased(String subscription) {
    return broker.queue(subscription).leased();
  }

  /** Cuts all calls at once; clients see UNAVAILABLE or CANCELLED. */
  @Override
  public void close() {
    broker.close();
    server.shutdownNow();
    try {
      if (!server.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("pubsub did not end in " + END_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ending pubsub", e);
    }
  }
}
