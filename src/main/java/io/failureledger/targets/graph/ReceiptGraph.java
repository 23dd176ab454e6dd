package io.failureledger.targets.graph;

import io.failureledger.event.EventProperties;
import io.failureledger.fault.Fault;
import io.failureledger.targets.ClassPathText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.neo4j.driver.AuthToken;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.async.AsyncSession;
import org.neo4j.driver.async.ResultCursor;
import org.neo4j.driver.exceptions.ServiceUnavailableException;

/**
 * The step {@code merge-receipt}: merges the receipt of the exchange into the graph over Bolt, by
 * one statement in one transaction, so after a crash it is there or not, never in part. A repeat
 * changes nothing. An older version of a receipt than the graph's changes nothing and sets the
 * exchange property {@code reason} to {@code superseded}.
 *
 * <p>The driver is made on first use, so a graph that is down does not hinder the start. What it
 * tries again by itself (deadlocks, a lost leader) ends after a fifth of the time-out; the whole
 * call ends after the time-out, even when the server is silent. On that the driver is replaced,
 * because its connections wait for ever; whether the merge happened is then unknown, and the repeat
 * settles it.
 */
public final class ReceiptGraph implements Processor, AutoCloseable {
  private static final String MERGE_RECEIPT = ClassPathText.of("cypher/merge-receipt.cypher");

  private final String uri;
  private final AuthToken signIn;
  private final Duration timeout;
  private final Config config;
  private final InstantSource clock;
  private final Duration tolerance;
  private Driver driver;
  private boolean closed;

  /**
   * Connects to nothing yet.
   *
   * @param uri {@code bolt://} or {@code neo4j://}, with {@code +s} for TLS
   * @param username empty or null: no sign-in
   * @param timeout for one merge in all, 1 s or more
   * @param certificate PEM file of the CA that signed the graph's certificate, or null for the
   *     JVM's; makes any URI use TLS
   * @param clock that of the ledger; Neptune's own cannot be written in the graph's text of one
   *     width
   * @param tolerance a stored time further ahead of that clock loses
   */
  public ReceiptGraph(
      String uri,
      String username,
      String password,
      Duration timeout,
      Path certificate,
      InstantSource clock,
      Duration tolerance) {
    if (timeout.toMillis() < 1_000) {
      throw new IllegalArgumentException(
          "The graph's time-out must be 1 s or more: " + timeout + ".");
    }
    this.timeout = timeout;
    this.clock = clock;
    this.tolerance = tolerance;
    this.signIn =
        username == null || username.isEmpty()
            ? AuthTokens.none()
            : AuthTokens.basic(username, password);
    long part = timeout.toMillis() / 5;
    Config.ConfigBuilder config =
        Config.builder()
            .withConnectionTimeout(2 * part, TimeUnit.MILLISECONDS)
            .withConnectionAcquisitionTimeout(3 * part, TimeUnit.MILLISECONDS)
            .withMaxTransactionRetryTime(part, TimeUnit.MILLISECONDS)
            .withMaxConnectionPoolSize(32)
            .withUserAgent("failure-ledger");
    if (certificate != null) {
      config
          .withEncryption()
          .withTrustStrategy(
              Config.TrustStrategy.trustCustomCertificateSignedBy(certificate.toFile()));
    }
    // With a CA of its own the driver wants the plain scheme.
    this.uri = certificate == null ? uri : uri.replaceFirst("\\+s(sc)?://", "://");
    this.config = config.build();
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws org.neo4j.driver.exceptions.Neo4jException the graph is unreachable, silent, refuses
   *     the sign-in or the statement
   * @throws InterruptedException the bundle is stopping; whether the merge happened is unknown
   */
  @Override
  public void process(Exchange exchange) throws InterruptedException {
    if (!merge(exchange.getProperty(ReceiptReader.RECEIPT, Receipt.class))) {
      exchange.setProperty(EventProperties.REASON, EventProperties.SUPERSEDED);
    }
  }

  /** Merges the receipt; false when a newer version of it is there. */
  boolean merge(Receipt receipt) throws InterruptedException {
    Map<String, Object> parameters = receipt.parameters();
    parameters.put(
        "believable",
        ReceiptReader.oneWidth(clock.instant().plus(tolerance).atOffset(ZoneOffset.UTC)));
    Driver used = driver();
    AtomicBoolean connected = new AtomicBoolean();
    AsyncSession session = used.session(AsyncSession.class);
    try {
      return session
          .executeWriteAsync(
              transaction -> {
                connected.set(true);
                return transaction
                    .runAsync(MERGE_RECEIPT, parameters)
                    .thenCompose(ResultCursor::singleAsync)
                    .thenApply(counted -> counted.get("purchases").asLong() > 0);
              },
              TransactionConfig.builder().withTimeout(timeout).build())
          .toCompletableFuture()
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      // Whatever connecting throws says that the graph is away, and not what the event is like.
      if (!connected.get() && Fault.ofTarget(e) != Fault.AWAY) {
        throw new ServiceUnavailableException(
            "The graph cannot be connected to: " + e.getCause().getMessage(), e.getCause());
      }
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      replace(used);
      throw new ServiceUnavailableException(
          "The graph did not answer within " + timeout.toMillis() + " ms.", e);
    } finally {
      CompletionStage<Void> unused = session.closeAsync();
    }
  }

  private synchronized Driver driver() {
    if (closed) {
      throw new ServiceUnavailableException("The bundle is stopping; the graph is closed.");
    }
    if (driver == null) {
      driver = GraphDatabase.driver(uri, signIn, config);
    }
    return driver;
  }

  private synchronized void replace(Driver silent) {
    if (driver == silent) {
      driver = null;
      CompletionStage<Void> unused = silent.closeAsync();
    }
  }

  /** Closes the driver; merges in progress fail and are repeated after the next start. */
  @Override
  public synchronized void close() {
    closed = true;
    if (driver != null) {
      driver.close();
      driver = null;
    }
  }
}
