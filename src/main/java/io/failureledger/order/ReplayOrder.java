package io.failureledger.order;

import io.failureledger.event.Causes;
import io.failureledger.ledger.ClaimedEvent;
import io.failureledger.ledger.OrderedEvents;
import io.failureledger.ledger.OrderedEvents.Advanced;
import io.failureledger.ledger.OrderedEvents.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What replays of ordered feeds do more than others: only the first unresolved event of a subject
 * is run, and when it is resolved the next one becomes due. A crash between the two leaves the next
 * one waiting until {@link KeepOrder#advanceWaiting} finds it.
 */
public final class ReplayOrder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayOrder.class);

  private final OrderedEvents events;
  private final PromptClaims claims;
  private final boolean claimsSoon;

  /**
   * @param claim claims due events of a feed and says how many
   * @param claimsSoon whether what became due is claimed at once; else somebody else claims it
   */
  public ReplayOrder(OrderedEvents events, ToIntFunction<String> claim, boolean claimsSoon) {
    this.events = events;
    this.claims = new PromptClaims(claim);
    this.claimsSoon = claimsSoon;
  }

  /**
   * Puts those claimed events of an ordered feed back that are not the first of their subjects,
   * whoever made them due. No claim of them is counted.
   *
   * @return their rows, which must not be run
   * @throws SQLException when the ledger cannot say; all of them are still claimed then
   */
  public Set<Long> holdOvertaking(List<ClaimedEvent> claimed) throws SQLException {
    Set<Long> held = events.holdOvertaking(claimed);
    if (!held.isEmpty()) {
      LOG.warn("{} rows were due before their subjects' first events, and wait again", held.size());
    }
    return held;
  }

  /**
   * Makes the first events of these subjects due that waited behind others, and claims them at
   * once.
   *
   * @return rows that were looked at
   */
  public long advance(List<Subject> subjects) throws SQLException {
    List<Advanced> advanced = events.advance(subjects);
    if (claimsSoon) {
      advanced.stream()
          .filter(subject -> subject.due() > 0)
          .map(Advanced::feed)
          .distinct()
          .forEach(claims::accept);
    }
    return advanced.stream().mapToLong(Advanced::looked).sum();
  }

  /**
   * Events of these subjects were resolved: the next ones are due. What fails here, the next round
   * of {@link KeepOrder#advanceWaiting} makes up for.
   */
  public void resolved(List<Subject> subjects) {
    if (subjects.isEmpty()) {
      return;
    }
    try {
      advance(subjects);
    } catch (SQLException | RuntimeException e) {
      LOG.warn(
          "events behind resolved ones could not be made due ({}); tried again after order.period",
          Causes.sentence(e));
    }
  }

  /** The bundle stops: nothing more is claimed. */
  public void end() {
    claims.end();
  }

  @Override
  public void close() {
    claims.close();
  }
}
