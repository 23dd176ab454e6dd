package io.failureledger.backfill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.failureledger.deadletter.DeadLetterSteps;
import io.failureledger.event.Causes;
import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.UserId;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.kafka.KafkaRecord;
import io.failureledger.ledger.SqlFile;
import io.failureledger.ledger.StorableTime;
import io.failureledger.policy.RetryLaterException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code collect-dead-letter-users} and {@code backfill-users}. A crash between the
 * post and its mark posts the batch again when the lease runs out: the endpoint is idempotent, and
 * the same batch carries the same idempotency key.
 */
public final class BackfillSteps {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger LOG = LoggerFactory.getLogger(BackfillSteps.class);
  private static final int BATCHES_A_ROUND = 20;

  private final Feeds feeds;
  private final BackfillSettings settings;

  public BackfillSteps(Feeds feeds, BackfillSettings settings) {
    this.feeds = feeds;
    this.settings = settings;
  }

  /**
   * Reads who a dead-letter record is about; a body of null when it names nobody, which is said
   * once a record.
   */
  public void readDeadLetter(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    KafkaRecord record = KafkaRecord.take(exchange);
    String user = userId(feed, record);
    if (user == null || user.isBlank()) {
      LOG.warn(
          "{}: the dead-letter record {} names no user; nobody can be backfilled for it",
          feed.name(),
          record.coordinates());
      exchange.getMessage().setBody(null);
      return;
    }
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", feed.name());
    parameters.put("user_id", user);
    parameters.put("target", settings.target());
    parameters.put("failed_at", StorableTime.of(failedAt(record), Instant.EPOCH));
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
    exchange.getMessage().setBody(user);
  }

  private static String userId(Feed feed, KafkaRecord record) {
    byte[] named = Envelope.bytes(record.headers(), DeadLetterSteps.USER_ID);
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
    String text = Envelope.lookUp(record.headers(), DeadLetterSteps.FAILED_AT);
    try {
      if (text != null) {
        return Instant.parse(text);
      }
    } catch (DateTimeException malformed) {
      LOG.debug(
          "{} has no readable {}", record.coordinates(), DeadLetterSteps.FAILED_AT, malformed);
    }
    return Instant.ofEpochMilli(record.timestamp() == null ? 0 : record.timestamp());
  }

  public void prepareClaim(Exchange exchange) {
    exchange
        .getMessage()
        .setHeader(
            SqlFile.PARAMETERS,
            Map.of(
                "limit", settings.batchSize() * BATCHES_A_ROUND,
                "owner", settings.instance(),
                "lease", leaseSeconds()));
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
      byTarget
          .computeIfAbsent((String) row.get("target"), target -> new ArrayList<>())
          .add(
              new BackfillBatch.User(
                  (String) row.get("feed"),
                  (String) row.get("user_id"),
                  (String) row.get("failed_at")));
    }
    List<BackfillBatch> batches = new ArrayList<>();
    byTarget.forEach(
        (target, users) ->
            batches.addAll(BackfillBatch.split(target, users, settings.batchSize())));
    return batches;
  }

  /** The request that the backfill endpoint takes. */
  public void prepareBatch(Exchange exchange) throws JsonProcessingException {
    BackfillBatch batch = exchange.getMessage().getBody(BackfillBatch.class);
    exchange.setProperty("batch", batch);
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("user_ids", batch.userIds());
    request.put("target", batch.target());
    exchange.getMessage().setHeader("idempotency-key", batch.idempotencyKey());
    exchange.getMessage().setBody(JSON.writeValueAsBytes(request));
  }

  public void prepareRequested(Exchange exchange) {
    BackfillBatch batch = exchange.getProperty("batch", BackfillBatch.class);
    LOG.info("requested the backfill of {} users of {}", batch.userIds().size(), batch.target());
    Map<String, Object> parameters = parameters(batch);
    parameters.put(
        "failed_ats",
        batch.users().stream().map(BackfillBatch.User::failedAt).toArray(String[]::new));
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  public void preparePostpone(Exchange exchange) {
    BackfillBatch batch = exchange.getProperty("batch", BackfillBatch.class);
    Throwable failure = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
    String error = Causes.sentence(failure);
    LOG.warn(
        "the backfill of {} users of {} was not taken and is requested again later: {}",
        batch.userIds().size(),
        batch.target(),
        error);
    Map<String, Object> parameters = parameters(batch);
    parameters.put("error", error);
    parameters.put("base", settings.backoffBase().toMillis() / 1000.0);
    parameters.put("cap", settings.backoffCap().toMillis() / 1000.0);
    parameters.put("retry_after", RetryLaterException.wantedBy(failure).toMillis() / 1000.0);
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  private Map<String, Object> parameters(BackfillBatch batch) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put(
        "feeds", batch.users().stream().map(BackfillBatch.User::feed).toArray(String[]::new));
    parameters.put(
        "user_ids", batch.users().stream().map(BackfillBatch.User::userId).toArray(String[]::new));
    parameters.put("target", batch.target());
    parameters.put("owner", settings.instance());
    return parameters;
  }
}
