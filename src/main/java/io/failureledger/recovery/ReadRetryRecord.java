package io.failureledger.recovery;

import io.failureledger.envelope.Envelope;
import io.failureledger.envelope.Header;
import io.failureledger.feed.Feed;
import io.failureledger.feed.Feeds;
import io.failureledger.feed.KafkaRecord;
import io.failureledger.ledger.ParkRow;
import io.failureledger.park.PreparePark;
import io.failureledger.park.RetryRecord;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the ledger row of an event that waited on the retry topic. It never produces: what cannot
 * be parked is returned.
 */
public final class ReadRetryRecord implements Processor {
  private static final Logger LOG = LoggerFactory.getLogger(ReadRetryRecord.class);

  private final Feeds feeds;

  public ReadRetryRecord(Feeds feeds) {
    this.feeds = feeds;
  }

  @Override
  public void process(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    KafkaRecord record = KafkaRecord.take(exchange);
    List<Header> headers = record.headers();
    String named = Envelope.lookUp(headers, RetryRecord.FEED);
    if (named != null && !named.equals(feed.name())) {
      LOG.warn(
          "{} holds a record of feed '{}'; it is parked for {}, whose topic this is",
          record.coordinates(),
          named,
          feed.name());
    }
    Envelope envelope =
        feed.selectors()
            .describe(
                RetryRecord.read(
                    feed.name(), headers, record.key(), record.body(), record.coordinates()));
    exchange.setProperty(Envelope.PROPERTY, envelope);
    exchange
        .getMessage()
        .setHeader(
            PreparePark.PARAMETERS,
            ParkRow.of(
                envelope,
                RetryRecord.failure(headers),
                RetryRecord.target(headers),
                RetryRecord.attempts(headers, feed.policy().attempts()),
                feed.policy().first(),
                0,
                feed.deadLetterTopic() != null));
  }
}
