package io.failureledger.deadletter;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.Failure;
import io.failureledger.event.Header;
import io.failureledger.event.Text;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ingest.RetryRecord;
import io.failureledger.kafka.KafkaRecord;
import io.failureledger.ledger.ParkRow;
import io.failureledger.ledger.SqlFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the ledger row of an event that waited on the retry topic: a row of the feed that the
 * record names, whichever feed drains it. A record that names none is the draining feed's, and so
 * is one that names a feed which is not configured; its row says so. It never produces: what cannot
 * be parked is returned.
 */
public final class ReadRetryRecord implements Processor {
  /** Why a row is of the feed that drained it: its record names one that is not configured. */
  static final String UNKNOWN_FEED = "unknown-feed";

  private static final Logger LOG = LoggerFactory.getLogger(ReadRetryRecord.class);
  private static final int MAX_NAME = 100;
  private static final int MAX_MESSAGE = 1_000;

  private final Feeds feeds;

  public ReadRetryRecord(Feeds feeds) {
    this.feeds = feeds;
  }

  @Override
  public void process(Exchange exchange) {
    Feed drained = feeds.ofRoute(exchange.getFromRouteId());
    KafkaRecord record = KafkaRecord.take(exchange);
    List<Header> headers = record.headers();
    String named = Envelope.lookUp(headers, RetryRecord.FEED);
    Optional<Feed> owner = named == null ? Optional.of(drained) : feeds.find(named);
    Feed feed = owner.orElse(drained);
    Envelope envelope =
        feed.selectors()
            .describe(
                RetryRecord.read(
                    feed.name(), headers, record.key(), record.body(), record.coordinates()));
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
    Failure failure = RetryRecord.failure(headers);
    Map<String, Object> row =
        ParkRow.of(
            envelope,
            failure,
            RetryRecord.target(headers),
            RetryRecord.attempts(headers, feed.policy().attempts()),
            feed.policy().firstDelay(),
            0,
            feed.deadLetterTopic() != null);
    if (owner.isEmpty()) {
      String why =
          "the retry record names the feed '"
              + Text.bounded(named, MAX_NAME)
              + "', which is not configured";
      LOG.warn("{}: {}; parked for {}, which drains it", record.coordinates(), why, feed.name());
      row.put("reason", UNKNOWN_FEED);
      row.put("error_message", Text.bounded(why + ": " + failure.message(), MAX_MESSAGE));
    } else if (feed != drained) {
      LOG.info(
          "{}: a record of the feed {} is on the retry topic of {}; parked for {}",
          record.coordinates(),
          feed.name(),
          drained.name(),
          feed.name());
    }
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, row);
  }
}
