package io.failureledger.breaker;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import java.sql.SQLException;

/** The table {@code feed_control}: which feeds a person has paused. All instances obey it. */
public final class FeedControls {
  private static final Statement<Pausing, Before> SET_PAUSED =
      Statement.of("feed_control/set-paused", Pausing.class, Before.class);

  private final Ledger ledger;

  public FeedControls(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * What came of it, and who had paused or resumed the feed last before.
   *
   * @param changed whether this statement changed it
   * @param reason null without one
   * @param changedBy null when nobody had, or when another did so at the same moment
   * @param changedAt in words; null as changedBy is
   */
  public record Before(boolean changed, String reason, String changedBy, String changedAt) {}

  private record Pausing(String feed, boolean paused, String reason, String by) {}

  /**
   * Pauses or resumes the feed and notes who did it in {@code operator_action}, in one commit. A
   * repeat changes nothing.
   *
   * @param reason may be null
   */
  public Before setPaused(String feed, boolean paused, String by, String reason)
      throws SQLException {
    Pausing pausing = new Pausing(feed, paused, reason, by);
    Before before = ledger.run(SET_PAUSED, pausing).get(0);
    if (paused && !before.changed() && before.changedBy() == null) {
      // The statement waited for another's first pause, and does not see what came after it began.
      return ledger.run(SET_PAUSED, pausing).get(0);
    }
    return before;
  }
}
