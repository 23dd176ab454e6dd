package io.failureledger.pubsub;

import com.google.protobuf.Timestamp;
import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.Identity;
import io.failureledger.feeds.Feed;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.Message;
import org.apache.camel.component.google.pubsub.GooglePubsubConstants;

/** Reads a Pub/Sub message into an envelope. Never fails for what the message holds. */
public final class PubSubEnvelopes {
  /**
   * Attribute under which {@link BoundedPubSubComponent} hands over the ordering key; no publisher
   * can set it, the service reserves the prefix.
   */
  static final String ORDERING_KEY = "googclient_ordering_key";

  private final InstantSource clock;

  public PubSubEnvelopes(InstantSource clock) {
    this.clock = clock;
  }

  public Envelope read(Feed feed, Message message) {
    Map<?, ?> attributes = message.getHeader(GooglePubsubConstants.ATTRIBUTES, Map.class);
    List<Header> received = new ArrayList<>();
    attributes.forEach((name, value) -> received.add(Header.of((String) name, (String) value)));
    String messageId = message.getHeader(GooglePubsubConstants.MESSAGE_ID, String.class);
    Instant published = published(message);
    String selected = feed.selectors().identity(received);
    return new Envelope(
        feed.name(),
        selected == null ? Identity.of(feed.source() + "/" + messageId) : selected,
        "pubsub:" + feed.source() + "/" + messageId,
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
}
