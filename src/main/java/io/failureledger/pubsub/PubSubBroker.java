package io.failureledger.pubsub;

import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.batch.IngestBatches;
import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.Identity;
import io.failureledger.feeds.Acknowledgement;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.EarlierFailure;
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
  private final IngestBatches batches;
  private final Map<Thread, InHand> inHand = new ConcurrentHashMap<>();

  /**
   * What a thread works on.
   *
   * @param failure what a batch with the one message failed by, where that is not run again
   */
  private record InHand(List<AckReplyConsumer> messages, EarlierFailure failure) {}

  /**
   * @param clock that of the ledger
   * @param stopping whether the feed of this source is being stopped
   * @param batches tries the events of feeds with a batch handler
   */
  public PubSubBroker(
      Settings settings, InstantSource clock, Predicate<String> stopping, IngestBatches batches) {
    this.settings = settings;
    this.access =
        new PubSubAccess(settings.text("pubsub.endpoint"), settings.text("pubsub.credentials"));
    this.clock = clock;
    this.stopping = stopping;
    this.batches = batches;
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
    return read(
        feed,
        message.getHeader(GooglePubsubConstants.ATTRIBUTES, Map.class),
        message.getHeader(GooglePubsubConstants.MESSAGE_ID, String.class),
        message.getHeader(GooglePubsubConstants.PUBLISH_TIME, Timestamp.class),
        (byte[]) message.getBody());
  }

  /** A message that no exchange was made of. */
  Envelope read(Feed feed, PubsubMessage message) {
    return read(
        feed,
        message.getAttributesMap(),
        message.getMessageId(),
        message.getPublishTime(),
        message.getData().toByteArray());
  }

  private Envelope read(
      Feed feed, Map<?, ?> attributes, String messageId, Timestamp time, byte[] body) {
    List<Header> received = new ArrayList<>();
    attributes.forEach((name, value) -> received.add(Header.of((String) name, (String) value)));
    String coordinates = feed.source() + "/" + messageId;
    Instant published = published(time);
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
        body);
  }

  /** The service received it first, unless its clock is ahead. The same at each delivery. */
  private Instant received(Instant published) {
    Instant now = clock.instant();
    return published == null || published.isAfter(now) ? now : published;
  }

  /** In whole microseconds, which the ledger gives back on replay. */
  private static Instant published(Timestamp time) {
    return time == null
        ? null
        : Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public int threads() {
    return settings.integer("pubsub.threads");
  }

  @Override
  public Acknowledgement takeAcknowledgement(Message message) {
    return null;
  }

  @Override
  public EarlierFailure earlierFailure(Message message) {
    InHand here = inHand.get(Thread.currentThread());
    return here == null ? null : here.failure();
  }

  /** Nacks what the thread has in hand: else its client would keep it leased for an hour. */
  @Override
  public void free(Feed feed, Thread stuck, Restart restart) {
    InHand here = inHand.remove(stuck);
    restart.ofItsRun();
    if (here != null) {
      here.messages().forEach(AckReplyConsumer::nack);
    }
  }

  /**
   * Runs the work on messages of this source, or hands them back when its feed is stopping.
   *
   * @param failure as {@link #earlierFailure} is to say it
   */
  void receive(
      String subscription, List<AckReplyConsumer> messages, EarlierFailure failure, Runnable work) {
    if (stopping.test(subscription)) {
      messages.forEach(AckReplyConsumer::nack);
      return;
    }
    inHand.put(Thread.currentThread(), new InHand(messages, failure));
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
            this,
            batches,
            settings.number("target.share"),
            settings.duration("target.slow")));
  }
}
