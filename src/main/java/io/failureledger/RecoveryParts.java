package io.failureledger;

import io.failureledger.backfill.BackfillSettings;
import io.failureledger.backfill.BackfillSteps;
import io.failureledger.deadletter.DeadLetterSteps;
import io.failureledger.deadletter.ReadRetryRecord;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.ledger.EventCounts;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.UnconfiguredFeeds;
import io.failureledger.schedule.DaemonThread;
import io.failureledger.settings.Settings;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.apache.camel.spi.Registry;

/** The beans of this package as routes name them, made from the settings. One set a bundle. */
public record RecoveryParts(
    ReadRetryRecord readRetryRecord,
    DeadLetterSteps deadLetters,
    BackfillSteps backfill,
    UnconfiguredFeeds unconfigured,
    ExecutorService backfillRequests) {
  private static final Duration DEAD_LETTER_LEASE = Duration.ofSeconds(120);

  /**
   * @param ledger throws while it is known to be away
   */
  public static RecoveryParts of(
      Settings settings,
      Feeds feeds,
      EventCounters counters,
      EventCounts counts,
      SourceCheck ledger) {
    String instance = settings.text("instance.name");
    return new RecoveryParts(
        new ReadRetryRecord(feeds),
        new DeadLetterSteps(
            feeds,
            counters,
            instance,
            settings.integer("dead-letter.publish.batch"),
            settings.integer("dead-letter.publish.bytes"),
            settings.integer("event.oversized.bytes"),
            DEAD_LETTER_LEASE,
            ledger),
        new BackfillSteps(
            feeds,
            new BackfillSettings(
                instance,
                settings.text("backfill.target"),
                settings.integer("backfill.batch.size"),
                settings.integer("backfill.parallelism"),
                settings.duration("backfill.timeout"),
                settings.duration("backfill.backoff.base"),
                settings.duration("backfill.backoff.cap"))),
        new UnconfiguredFeeds(feeds, counts),
        DaemonThread.pool("backfill-requests", settings.integer("backfill.parallelism")));
  }

  public void bind(Registry registry) {
    registry.bind("read-retry-record", readRetryRecord);
    registry.bind("dead-letters", deadLetters);
    registry.bind("backfill", backfill);
    registry.bind("unconfigured-feeds", unconfigured);
    registry.bind("backfill-requests", backfillRequests, null, "shutdownNow");
  }
}
