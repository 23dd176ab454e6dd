package io.failureledger.deadletter;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.Failure;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.event.Identity;
import io.failureledger.event.RecordSize;
import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import io.failureledger.fault.Fault;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.kafka.KafkaRecord;
import io.failureledger.ledger.ParkEvent;
import io.failureledger.observe.EventCounters;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an event travels on the retry topic: key and value as they arrived, everything else in
 * headers. Error texts are cut short, so that no number of failures makes a record grow.
 */
public final class RetryTopic {
  private static final Logger LOG = LoggerFactory.getLogger(RetryTopic.class);
  private static final String FEED = "feed";
  private static final String EVENT_ID = "event-id";
  private static final String ATTEMPTS = "attempts";
  private static final String SOURCE = "event-source";
  private static final String TIME = "event-time";
  private static final String RECEIVED_AT = "event-received-at";
  private static final String ORDERING_KEY = "event-ordering-key";
  private static final String TARGET = "target";
  private static final String ERROR_TYPE = "error-type";
  private static final String ERROR_MESSAGE = "error-message";
  private static final String FINGERPRINT = "error-fingerprint";
  private static final int MAX_MESSAGE = 500;
  private static final int MAX_NAME = 100;
  private static final int MAX_SENTENCE = 1_000;

  private final Feeds feeds;
  private final EventCounters counters;
  private final long oversizedBytes;

  /**
   * @param oversizedBytes key, value and headers above this never go to a topic
   */
  public RetryTopic(Feeds feeds, EventCounters counters, long oversizedBytes) {
    this.feeds = feeds;
    this.counters = counters;
    this.oversizedBytes = oversizedBytes;
  }

  /**
   * The record that carries an event through its feed's retry topic, identity and failure with it.
   *
   * @return null where the event may not go there: the ledger is not unavailable but said something
   *     else, the feed has no such topic or keeps an order, which a detour would break, or the
   *     event is too large
   */
  public OutgoingRecord record(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    Envelope e = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    Throwable notParked = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
    if (feed.retryTopic() == null
        || feed.ordered()
        || Fault.ofLedger(notParked) != Fault.AWAY
        || RecordSize.of(e) > oversizedBytes) {
      return null;
    }
    Failure failure = Failure.of(exchange.getProperty(EventProperties.FAILURE, Throwable.class));
    return new OutgoingRecord(feed.retryTopic(), e.key(), Map.of(), e.body())
        .with(FEED, e.feed())
        .with(EVENT_ID, e.eventId())
        .with(ATTEMPTS, 0)
        .with(OutgoingRecord.EVENT_HEADERS, HeaderJson.write(e.headers()))
        .with(SOURCE, e.source())
        .with(TIME, e.sourceTime())
        .with(RECEIVED_AT, e.receivedAt())
        .with(ORDERING_KEY, e.orderingKey())
        .with(TARGET, TargetName.of(exchange.getProperty(EventProperties.TARGET, String.class)))
        .with(ERROR_TYPE, failure.type())
        .with(ERROR_MESSAGE, Text.bounded(failure.message(), MAX_MESSAGE))
        .with(FINGERPRINT, failure.fingerprint());
  }

  /** Tells that the event waits on the retry topic, and so is safe. */
  public void waits(Exchange exchange) {
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    counters.parked(envelope.feed());
    exchange.setProperty(EventProperties.PARKED, true);
    LOG.warn(
        "{}: the ledger is unavailable; {} waits on the retry topic",
        envelope.feed(),
        envelope.eventId());
  }

  /**
   * The row of an event that waited on the retry topic: a row of the feed that the record names,
   * whichever feed drains it. A record that names none is the draining feed's, and so is one that
   * names a feed which is not configured; its row says so. The message is left without headers.
   */
  public ParkEvent row(Exchange exchange) {
    Feed drained = feeds.ofRoute(exchange.getFromRouteId());
    KafkaRecord record = KafkaRecord.take(exchange);
    List<Header> headers = record.headers();
    String named = Envelope.lookUp(headers, FEED);
    Optional<Feed> owner = named == null ? Optional.of(drained) : feeds.find(named);
    Feed feed = owner.orElse(drained);
    Envelope envelope = feed.selectors().describe(envelope(feed.name(), record));
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
    Failure failure = failure(headers);
    ParkEvent row =
        ParkEvent.of(
            envelope,
            failure,
            Envelope.lookUp(headers, TARGET),
            attempts(headers, feed.policy().attempts()),
            feed.policy().firstDelay(),
            0,
            feed.deadLetterTopic() != null);
    if (owner.isEmpty()) {
      String why =
          "the retry record names the feed '"
              + Text.bounded(named, MAX_NAME)
              + "', which is not configured";
      LOG.warn("{}: {}; parked for {}, which drains it", record.coordinates(), why, feed.name());
      return row.because(
          ParkEvent.Reason.UNKNOWN_FEED,
          Text.bounded(why + ": " + failure.message(), MAX_SENTENCE));
    }
    if (feed != drained) {
      LOG.info(
          "{}: a record of the feed {} is on the retry topic of {}; parked for {}",
          record.coordinates(),
          feed.name(),
          drained.name(),
          feed.name());
    }
    return row;
  }

  /**
   * Reads the event back. A record that something else wrote there, or wrote badly, is an event
   * too: what is missing falls back to the record's own coordinates.
   */
  private static Envelope envelope(String feed, KafkaRecord record) {
    List<Header> headers = record.headers();
    byte[] id = Envelope.bytes(headers, EVENT_ID);
    String source = Envelope.lookUp(headers, SOURCE);
    return new Envelope(
        feed,
        id == null || id.length == 0 ? Identity.of(record.coordinates()) : Identity.carried(id),
        source == null ? record.coordinates() : source,
        null,
        null,
        null,
        null,
        time(Envelope.lookUp(headers, TIME)),
        time(Envelope.lookUp(headers, RECEIVED_AT)),
        Envelope.lookUp(headers, ORDERING_KEY),
        record.key(),
        eventHeaders(headers),
        record.body());
  }

  private static Failure failure(List<Header> headers) {
    String type = Envelope.lookUp(headers, ERROR_TYPE);
    String message = Envelope.lookUp(headers, ERROR_MESSAGE);
    return new Failure(
        Text.bounded(type == null ? "unknown" : type, 200),
        Text.bounded(message == null ? "the retry record does not say" : message, MAX_MESSAGE),
        null,
        Text.bounded(Envelope.lookUp(headers, FINGERPRINT), 20));
  }

  /**
   * Failed replays that the record counts: at most all but the last attempt, so that it gets one; 0
   * when malformed.
   */
  private static int attempts(List<Header> headers, int policyAttempts) {
    String text = Envelope.lookUp(headers, ATTEMPTS);
    try {
      return text == null
          ? 0
          : Math.max(0, Math.min(Integer.parseInt(text.strip()), policyAttempts - 1));
    } catch (NumberFormatException malformed) {
      return 0;
    }
  }

  private static List<Header> eventHeaders(List<Header> headers) {
    byte[] json = Envelope.bytes(headers, OutgoingRecord.EVENT_HEADERS);
    if (json == null) {
      return headers.stream().filter(h -> HeaderRules.isData(h.name())).toList();
    }
    try {
      return HeaderJson.read(Text.of(json)).stream()
          .filter(h -> HeaderRules.isData(h.name()))
          .toList();
    } catch (IllegalArgumentException malformed) {
      return List.of(new Header(OutgoingRecord.EVENT_HEADERS, json));
    }
  }

  private static Instant time(String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException malformed) {
      return null;
    }
  }
}
