package io.failureledger.ledger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The table {@code breaker}: one row for each target of a feed that ever failed. All instances
 * share it. Each change commits on its own. It answers with the row as it is then, and with none
 * where there was nothing to change.
 */
public final class BreakerRows {
  private static final Statement<Feeds, FeedRow> LIST =
      Statement.of("breaker/list-breakers", Feeds.class, FeedRow.class);
  private static final Statement<Failure, Row> COUNT_FAILURE =
      Statement.of("breaker/count-failure", Failure.class, Row.class);
  private static final Statement<Opening, Row> OPEN =
      Statement.of("breaker/open-breaker", Opening.class, Row.class);
  private static final Statement<Closing, Row> CLOSE =
      Statement.of("breaker/close-breaker", Closing.class, Row.class);
  private static final Statement<FailedProbe, Row> FAIL_PROBE =
      Statement.of("breaker/fail-probe", FailedProbe.class, Row.class);
  private static final Statement<NothingToProbeWith, Row> PROBE_CONSUMING =
      Statement.of("breaker/probe-consuming", NothingToProbeWith.class, Row.class);

  private final Ledger ledger;

  public BreakerRows(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Whether events of a target are tried. */
  public enum State {
    CLOSED,
    OPEN,
    HALF_OPEN;

    /** As the column and people write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Why a breaker is not closed. */
  public enum Cause {
    /** The target is away: pausing failures in a row. */
    PAUSING,
    /** Too large a share of its events failed. */
    SHARE,
    /** The feed has too many rows that are not done with. */
    FULL;

    /** As the column and the metrics write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A breaker as the ledger has it.
   *
   * @param cause null when it is closed
   * @param failures pausing failures in a row, over all instances
   * @param version grows at each change
   * @param probes whether events of the ledger probe it
   * @param probeDue whether the next probe may be claimed
   * @param openedMicros since 1970; null when it is closed
   * @param changed whether this statement opened or closed it
   */
  public record Row(
      String feed,
      String target,
      State state,
      Cause cause,
      int failures,
      long version,
      boolean probes,
      boolean probeDue,
      Long openedMicros,
      String lastError,
      boolean changed) {}

  /**
   * A feed, who paused it, and one of its breakers.
   *
   * @param reason as the person gave it; null without one
   * @param changedBy who paused or resumed it last; null when nobody did
   * @param changedMicros since 1970; null when nobody did
   * @param target null where no breaker of the feed is open or counts failures
   */
  public record FeedRow(
      String feed,
      boolean paused,
      String reason,
      String changedBy,
      Long changedMicros,
      String target,
      State state,
      Cause cause,
      Integer failures,
      Long version,
      boolean probes,
      boolean probeDue,
      Long openedMicros,
      String lastError) {

    /** The breaker; empty where the row is about the feed alone. */
    public Optional<Row> breaker() {
      return target == null
          ? Optional.empty()
          : Optional.of(
              new Row(
                  feed,
                  target,
                  state,
                  cause,
                  failures,
                  version,
                  probes,
                  probeDue,
                  openedMicros,
                  lastError,
                  false));
    }
  }

  private record Feeds(String[] feeds) {}

  private record Failure(
      String feed, String target, int threshold, Duration probePeriod, String error) {}

  private record Opening(
      String feed, String target, Cause cause, Duration probePeriod, String error) {}

  private record Closing(String feed, String target, Cause[] causes) {}

  private record FailedProbe(String feed, String target, String error) {}

  private record NothingToProbeWith(String feed, String target, int threshold, boolean wholeFeed) {}

  /** A row or more for each of these feeds, those that wait longest for a probe first. */
  public List<FeedRow> list(String[] feeds) throws SQLException {
    return ledger.run(LIST, new Feeds(feeds));
  }

  /**
   * Counts one pausing failure in a row. The breaker opens at the threshold, or at once where what
   * is consumed is the probe. A repeat counts once more.
   */
  public Optional<Row> countFailure(
      String feed, String target, int threshold, Duration probePeriod, String error)
      throws SQLException {
    return one(COUNT_FAILURE, new Failure(feed, target, threshold, probePeriod, error));
  }

  /** Opens it. A repeat changes nothing, and nothing is changed while it is probed. */
  public Optional<Row> open(
      String feed, String target, Cause cause, Duration probePeriod, String error)
      throws SQLException {
    return one(OPEN, new Opening(feed, target, cause, probePeriod, error));
  }

  /**
   * Ends the failures in a row, and closes it where what is consumed is the probe, or where it is
   * open for one of these causes. A repeat changes nothing.
   */
  public Optional<Row> close(String feed, String target, Cause... causes) throws SQLException {
    return one(CLOSE, new Closing(feed, target, causes));
  }

  /** The probe failed: it is open until the next one. A repeat changes nothing. */
  public Optional<Row> failProbe(String feed, String target, String error) throws SQLException {
    return one(FAIL_PROBE, new FailedProbe(feed, target, error));
  }

  /**
   * There was no event to probe with: what is consumed next is the probe. One failure more opens it
   * again. A repeat changes nothing.
   *
   * @param threshold pausing failures in a row that open one
   * @param wholeFeed whether any event of the feed would have been a probe
   */
  public Optional<Row> probeConsuming(String feed, String target, int threshold, boolean wholeFeed)
      throws SQLException {
    return one(PROBE_CONSUMING, new NothingToProbeWith(feed, target, threshold, wholeFeed));
  }

  private <V extends Record> Optional<Row> one(Statement<V, Row> statement, V values)
      throws SQLException {
    return ledger.run(statement, values).stream().findFirst();
  }
}
