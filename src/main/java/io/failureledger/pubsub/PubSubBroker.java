package io.failureledger.pubsub;

import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.GetSubscriptionRequest;
import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.Identity;
import io.failureledger.feeds.Acknowledgement;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.camel.Message;
import org.apache.camel.component.google.pubsub.GooglePubsubConstants;
import org.apache.camel.spi.Registry;
import org.threeten.bp.Duration;

/**
 * Google Pub/Sub: a feed's source is a subscription. Its component acknowledges a message when its
 * exchange ends well, and nacks it otherwise.
 */
public final class PubSubBroker implements Broker {
  /**
   * Attribute under which {@link BoundedPubSubComponent} hands over the ordering key; no publisher
   * can set it, the service reserves the prefix.
   */
  static final String ORDERING_KEY = "googclient_ordering_key";

  private final Settings settings;
  private final PubSubAccess access;
  private final InstantSource clock;
  private final Predicate<String> stopping;
  private final Map<Thread, AckReplyConsumer> inHand = new ConcurrentHashMap<>();

  /**
   * @param clock that of the ledger
   * @param stopping whether the feed of this source is being stopped
   */
  public PubSubBroker(Settings settings, InstantSource clock, Predicate<String> stopping) {
    this.settings = settings;
    this.access =
        new PubSubAccess(settings.text("pubsub.endpoint"), settings.text("pubsub.credentials"));
    this.clock = clock;
    this.stopping = stopping;
  }

  @Override
  public String name() {
    return "pubsub";
  }

  @Override
  public String title() {
    return "Pub/Sub";
  }

  @Override
  public String source(UnaryOperator<String> parameters) {
    return "projects/"
        + parameters.apply("project")
        + "/subscriptions/"
        + parameters.apply("subscription");
  }

  @Override
  public String whyUnordered() {
    return "Pub/Sub gives the messages of one key to any consumer, so none knows without a query for"
        + " each event which subjects have unresolved ones";
  }

  /** The consumer itself would end its loop and look started. */
  @Override
  public SourceCheck sourceCheck(Feed feed, UnaryOperator<String> parameters) {
    return () -> check(feed.source());
  }

  private void check(String subscription) throws Exception {
    try (SubscriptionAdminClient admin = SubscriptionAdminClient.create(access.adminSettings())) {
      admin
          .getSubscriptionCallable()
          .call(
              GetSubscriptionRequest.newBuilder().setSubscription(subscription).build(),
              GrpcCallContext.createDefault().withTimeout(Duration.ofSeconds(10)));
    } catch (NotFoundException e) {
      throw new IOException("the Pub/Sub subscription " + subscription + " does not exist");
    } catch (ApiException e) {
      throw new IOException(
          "Pub/Sub cannot be asked for subscription "
              + subscription
              + " ("
              + e.getStatusCode().getCode()
              + ")",
          e);
    }
  }

  @Override
  public Envelope read(Feed feed, Message message) {
    Map<?, ?> attributes = message.getHeader(GooglePubsubConstants.ATTRIBUTES, Map.class);
    List<Header> received = new ArrayList<>();
    attributes.forEach((name, value) -> received.add(Header.of((String) name, (String) value)));
    String coordinates =
        feed.source() + "/" + message.getHeader(GooglePubsubConstants.MESSAGE_ID, String.class);
    Instant published = published(message);
    String selected = feed.selectors().identity(received);
    return new Envelope(
        feed.name(),
        selected == null ? Identity.of(coordinates) : selected,
        "pubsub:" + coordinates,
        null,
        null,
        null,
        null,
        published,
        received(published),
        (String) attributes.get(ORDERING_KEY),
        null,
        feed.headers().keep(received),
        (byte[]) message.getBody());
  }

  /** The service received it first, unless its clock is ahead. The same at each delivery. */
  private Instant received(Instant published) {
    Instant now = clock.instant();
    return published == null || published.isAfter(now) ? now : published;
  }

  /** In whole microseconds, which the ledger gives back on replay. */
  private static Instant published(Message message) {
    Timestamp time = message.getHeader(GooglePubsubConstants.PUBLISH_TIME, Timestamp.class);
    return time == null
        ? null
        : Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public Acknowledgement takeAcknowledgement(Message message) {
    return null;
  }

  /** Nacks the message in the thread's place: else its client would keep it leased for an hour. */
  @Override
  public void free(Feed feed, Thread stuck, Restart restart) {
    AckReplyConsumer message = inHand.remove(stuck);
    restart.ofItsRun();
    if (message != null) {
      message.nack();
    }
  }

  /** Runs the work on a message of this source, or hands it back when its feed is stopping. */
  void receive(String subscription, AckReplyConsumer message, Runnable work) {
    if (stopping.test(subscription)) {
      message.nack();
      return;
    }
    inHand.put(Thread.currentThread(), message);
    try {
      work.run();
    } finally {
      inHand.remove(Thread.currentThread());
    }
  }

  @Override
  public void bind(Registry registry) {
    registry.bind(
        "google-pubsub",
        new BoundedPubSubComponent(
            access,
            settings.integer("pubsub.outstanding.max"),
            settings.integer("pubsub.outstanding.bytes"),
            settings.integer("pubsub.threads"),
            this));
  }
}
