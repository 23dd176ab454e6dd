package io.failureledger.backfill;

import io.failureledger.backfill.BackfillRows.ClaimUsers;
import io.failureledger.backfill.BackfillRows.ClaimedUser;
import io.failureledger.backfill.BackfillRows.CollectUser;
import io.failureledger.backfill.BackfillRows.PostponeUsers;
import io.failureledger.deadletter.DeadLetters;
import io.failureledger.event.Causes;
import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.UserId;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.kafka.KafkaRecord;
import io.failureledger.ledger.StorableTime;
import io.failureledger.policy.RetryLaterException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code collect-dead-letter-users} and {@code backfill-users} say of users. A crash between
 * the post and its mark posts the batch again when the lease runs out: the endpoint is idempotent,
 * and the same batch carries the same idempotency key.
 */
public final class Backfill {
  private static final Logger LOG = LoggerFactory.getLogger(Backfill.class);
  private static final int BATCHES_A_ROUND = 20;

  private final Feeds feeds;
  private final BackfillSettings settings;

  public Backfill(Feeds feeds, BackfillSettings settings) {
    this.feeds = feeds;
    this.settings = settings;
  }

  /**
   * The user that a dead-letter record is about; null when it names nobody, which is said once a
   * record. The message is left without headers.
   */
  public CollectUser user(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    KafkaRecord record = KafkaRecord.take(exchange);
    String user = userId(feed, record);
    if (user == null || user.isBlank()) {
      LOG.warn(
          "{}: the dead-letter record {} names no user; nobody can be backfilled for it",
          feed.name(),
          record.coordinates());
      return null;
    }
    return new CollectUser(
        feed.name(), user, settings.target(), StorableTime.of(failedAt(record), Instant.EPOCH));
  }

  private static String userId(Feed feed, KafkaRecord record) {
    byte[] named = Envelope.bytes(record.headers(), DeadLetters.USER_ID);
    if (named != null) {
      return UserId.of(named);
    }
    // A record that something else published: the feed knows where its events name their user.
    List<Header> headers = record.headers();
    Envelope bare =
        new Envelope(
            feed.name(),
            "-",
            "-",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            record.key(),
            headers,
            record.body());
    return feed.selectors().describe(bare).userId();
  }

  private static Instant failedAt(KafkaRecord record) {
    String text = Envelope.lookUp(record.headers(), DeadLetters.FAILED_AT);
    try {
      if (text != null) {
        return Instant.parse(text);
      }
    } catch (DateTimeException malformed) {
      LOG.debug("{} has no readable {}", record.coordinates(), DeadLetters.FAILED_AT, malformed);
    }
    return Instant.ofEpochMilli(record.timestamp() == null ? 0 : record.timestamp());
  }

  /** How many pending users are claimed, and for how long. */
  public ClaimUsers claim() {
    return new ClaimUsers(
        settings.batchSize() * BATCHES_A_ROUND, settings.instance(), leaseSeconds());
  }

  /**
   * Twice as long as a round of requests can take, so that no other instance requests the same
   * users at once. Users of two targets make one batch more.
   */
  private double leaseSeconds() {
    int inTurn = (BATCHES_A_ROUND + settings.parallelism()) / settings.parallelism();
    return settings.timeout().toMillis() / 1000.0 * inTurn * 2;
  }

  /** Splits claimed users into batches of one target. */
  public List<BackfillBatch> batches(List<Map<String, Object>> rows) {
    Map<String, List<BackfillBatch.User>> byTarget = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      ClaimedUser user = ClaimedUser.of(row);
      byTarget
          .computeIfAbsent(user.target(), target -> new ArrayList<>())
          .add(new BackfillBatch.User(user.feed(), user.userId(), user.failedAt()));
    }
    List<BackfillBatch> batches = new ArrayList<>();
    byTarget.forEach(
        (target, users) ->
            batches.addAll(
                BackfillBatch.split(target, users, settings.batchSize(), settings.instance())));
    return batches;
  }

  /** The users of the batch in hand, which was not taken, and when they come again. */
  public PostponeUsers postponed(Exchange exchange) {
    BackfillBatch batch = exchange.getVariable("batch", BackfillBatch.class);
    Throwable failure = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
    String error = Causes.sentence(failure);
    LOG.warn(
        "the backfill of {} users of {} was not taken and is requested again later: {}",
        batch.userIds().size(),
        batch.target(),
        error);
    return new PostponeUsers(
        batch.each(BackfillBatch.User::feed),
        batch.each(BackfillBatch.User::userId),
        batch.target(),
        settings.instance(),
        error,
        settings.backoffBase().toMillis() / 1000.0,
        settings.backoffCap().toMillis() / 1000.0,
        RetryLaterException.wantedBy(failure).toMillis() / 1000.0);
  }
}
