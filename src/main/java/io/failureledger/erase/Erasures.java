package io.failureledger.erase;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import io.failureledger.ledger.StorableTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases shops and customers. A request is one row in the ledger, and from then on it will happen.
 * A sweep erases what there is, in the targets and in the ledger. An event that was in hand at the
 * request may still be written or parked after a sweep: so the last sweep comes when no handler of
 * that time can run any more. Then the row forgets whom it was about and keeps a hash.
 *
 * <p>A crash in a sweep leaves it to another instance a minute later. A repeat erases nothing more.
 * A target that is away is swept again each minute, until it was reached.
 */
public final class Erasures {
  private static final Logger LOG = LoggerFactory.getLogger(Erasures.class);

  /** Events looked at at once; their bodies may have a megabyte each. */
  private static final int PAGE = 50;

  private static final String STORED = "ledger.failed_event";

  private static final Statement<Request, Requested> REQUEST =
      Statement.of("erasure/request-erasure", Request.class, Requested.class);
  private static final Statement<Which, Claimed> CLAIM =
      Statement.of("erasure/claim-erasures", Which.class, Claimed.class);
  private static final Statement<Page, Event> FIND =
      Statement.of("erasure/find-events", Page.class, Event.class);
  private static final Statement<Ids, Gone> ERASE =
      Statement.of("erasure/erase-events", Ids.class, Gone.class);
  private static final Statement<Sweep, Nothing> NOTE =
      Statement.of("erasure/note-sweep", Sweep.class, Nothing.class);
  private static final Statement<One, Receipt> RECEIPT =
      Statement.of("erasure/find-receipt", One.class, Receipt.class);

  private final Ledger ledger;
  private final PersonalData data;
  private final ErasedSubjects subjects;
  private final Duration settlesAfter;

  /**
   * @param data what the targets know
   * @param settlesAfter the longest that an event which is in hand now can still be written or
   *     parked
   */
  public Erasures(
      Ledger ledger, PersonalData data, ErasedSubjects subjects, Duration settlesAfter) {
    this.ledger = ledger;
    this.data = data;
    this.subjects = subjects;
    this.settlesAfter = settlesAfter;
  }

  private record Request(
      byte[] subjectHash,
      String kind,
      String shopDomain,
      String customerId,
      String[] orders,
      Long upToMicros,
      String by,
      String reason,
      Duration settlesAfter) {}

  /**
   * What was asked for.
   *
   * @param before when the same was erased before, in words; null when it was not
   */
  public record Requested(long id, String before) {}

  private record Which(Long id) {}

  private record Claimed(
      long id,
      String kind,
      String shopDomain,
      String customerId,
      String orders,
      long upToMicros,
      int requests,
      boolean last) {}

  private record Page(long after, String shopDomain, long upToMicros, boolean bodies, int limit) {}

  private record Event(long id, String eventType, byte[] body) {}

  private record Ids(long erasure, Long[] ids) {}

  private record Gone(long gone) {}

  private record Sweep(
      long id, int requests, boolean last, String trouble, String[] places, Long[] counts) {}

  private record Nothing() {}

  private record One(long id) {}

  /**
   * What an erasure came to, as far as it is.
   *
   * @param upTo what its source dates later has stayed
   * @param finishedAt null while sweeps go on
   * @param sweepUntil when the last sweep comes, at the earliest
   * @param trouble why the latest sweep did not reach everything; null when it did
   * @param receipt rows by place, as JSON
   */
  public record Receipt(
      long id,
      String kind,
      int requests,
      String requestedAt,
      String requestedBy,
      String upTo,
      String finishedAt,
      String sweepUntil,
      String trouble,
      String receipt) {

    /** For a person: what went, by whom and when, what is still to come, and what cannot go. */
    public String words(Requested asked) {
      String done =
          finishedAt == null
              ? "Sweeps go on until "
                  + sweepUntil
                  + " at least: what is in a handler now comes then."
              : "It is finished since " + finishedAt + ".";
      return """
          erasure %d of a %s, asked for by %s at %s (request %d)
          %s%serased so far: %s
          %s
          Newer data, from after %s, stays. Not erased: records on dead-letter and retry topics, until their
          retention ends; backups; files of earlier exports."""
          .formatted(
              id,
              kind,
              requestedBy,
              requestedAt,
              requests,
              asked.before() == null ? "" : "It was erased before, at " + asked.before() + ".\n",
              trouble == null ? "" : "Not everything was reached: " + trouble + "\n",
              receipt,
              done,
              upTo);
    }
  }

  /**
   * Asks for an erasure. It is durable when the call returns.
   *
   * @param reason may be null
   * @throws SQLException when the ledger did not answer; it may be asked for all the same
   */
  public Requested request(Erasure erasure, String by, String reason) throws SQLException {
    Requested requested =
        ledger
            .run(
                REQUEST,
                new Request(
                    erasure.hash(),
                    erasure.customerId() == null ? "shop" : "customer",
                    erasure.shop(),
                    erasure.customerId(),
                    erasure.orders() == null ? null : erasure.orders().toArray(String[]::new),
                    erasure.upTo() == null ? null : micros(erasure.upTo()),
                    by,
                    reason,
                    settlesAfter))
            .get(0);
    subjects.refresh();
    return requested;
  }

  /** Learns what others erased, and makes the sweeps that are due. The step of a timer. */
  public void sweepDue() throws SQLException {
    subjects.refresh();
    for (Claimed claimed : ledger.run(CLAIM, new Which(null))) {
      sweep(claimed);
    }
  }

  /**
   * Makes a sweep of one erasure now.
   *
   * @return what it came to
   */
  public Receipt sweep(Requested requested) throws SQLException {
    for (Claimed claimed : ledger.run(CLAIM, new Which(requested.id()))) {
      sweep(claimed);
    }
    return ledger.run(RECEIPT, new One(requested.id())).get(0);
  }

  private void sweep(Claimed claimed) throws SQLException {
    Erasure erasure =
        new Erasure(
            claimed.shopDomain(),
            claimed.customerId(),
            claimed.orders() == null
                ? null
                : Arrays.stream(claimed.orders().split(",")).filter(id -> !id.isEmpty()).toList(),
            StorableTime.ofMicros(claimed.upToMicros()));
    PersonalData.Swept swept = data.erase(erasure);
    if (swept.trouble() != null) {
      LOG.warn(
          "erasure {} is incomplete, and goes on in a minute: {}", claimed.id(), swept.trouble());
    }
    Map<String, Long> erased = new LinkedHashMap<>(swept.erased());
    erased.put(STORED, stored(claimed, erasure, swept.orders()));
    ledger.run(
        NOTE,
        new Sweep(
            claimed.id(),
            claimed.requests(),
            claimed.last(),
            swept.trouble(),
            erased.keySet().toArray(String[]::new),
            erased.values().toArray(Long[]::new)));
    LOG.info("erasure {}: swept {}", claimed.id(), erased);
  }

  private long stored(Claimed claimed, Erasure erasure, Set<String> orders) throws SQLException {
    boolean ofCustomer = erasure.customerId() != null;
    long gone = 0;
    long after = 0;
    while (true) {
      List<Event> page =
          ledger.run(FIND, new Page(after, erasure.shop(), claimed.upToMicros(), ofCustomer, PAGE));
      Long[] ids =
          page.stream()
              .filter(
                  event ->
                      !ofCustomer
                          || data.concerns(
                              event.eventType(), event.body(), erasure.customerId(), orders))
              .map(Event::id)
              .toArray(Long[]::new);
      if (ids.length > 0) {
        gone += ledger.run(ERASE, new Ids(claimed.id(), ids)).get(0).gone();
      }
      if (page.size() < PAGE) {
        return gone;
      }
      after = page.get(page.size() - 1).id();
    }
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
