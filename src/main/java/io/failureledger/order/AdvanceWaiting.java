package io.failureledger.order;

import io.failureledger.ledger.SqlFile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;

/**
 * The steps of {@code advance-waiting} that YAML cannot say, named as the route names them. A round
 * goes through a feed's subjects a page after the other; each statement is bounded and committed on
 * its own. So a round makes headway however much there is to do, and one that fails is made up for
 * by the next. Any number of instances may do so at once.
 */
public final class AdvanceWaiting {
  /** Rows that one statement changes at most. */
  static final int ROWS = 2000;

  /** Subjects that one statement looks at: each has at least one row, and mostly two. */
  static final int PAGE = ROWS / 2;

  private static final String ROUND = "round";

  private final LookPauses rests = new LookPauses();

  /** Where a round is, on one thread. */
  private static final class Round {
    private boolean more;
    private String from = "";
    private String next;
    private boolean full;
    private long askedNanos;
    private long lookedNanos;

    Round(boolean more) {
      this.more = more;
    }
  }

  /** A round begins with the first page, unless the last one was a long one just now. */
  public void begin(Exchange exchange) {
    exchange.setProperty(ROUND, new Round(rests.over(feed(exchange))));
  }

  /** Whether there is a page to be looked at. */
  public boolean hasMore(Exchange exchange) {
    return round(exchange).more;
  }

  /** Asks which subjects of the page wait although nothing is before them. */
  public void prepareFind(Exchange exchange) {
    Round round = round(exchange);
    round.askedNanos = System.nanoTime();
    parameters(exchange, Map.of("feed", feed(exchange), "from_subject", round.from, "limit", PAGE));
  }

  /** Whether there is something to do on the page. */
  public boolean anyWaits(Exchange exchange) {
    Round round = round(exchange);
    round.lookedNanos += System.nanoTime() - round.askedNanos;
    round.full = false;
    round.next =
        rows(exchange).stream()
            .filter(row -> is(row, "full_page"))
            .map(row -> (String) row.get("subject"))
            .findAny()
            .orElse(null);
    return rows(exchange).stream().anyMatch(row -> is(row, "waits"));
  }

  /** Asks for the subjects that wait. */
  public void prepareAdvance(Exchange exchange) {
    String[] subjects =
        rows(exchange).stream()
            .filter(row -> is(row, "waits"))
            .map(row -> (String) row.get("subject"))
            .toArray(String[]::new);
    String[] feeds = new String[subjects.length];
    Arrays.fill(feeds, feed(exchange));
    parameters(exchange, Map.of("feeds", feeds, "subjects", subjects, "limit", ROWS));
  }

  /** Whether the statement was full, and may have left something of the page. */
  public void confirmAdvance(Exchange exchange) {
    long looked = rows(exchange).stream().mapToLong(row -> (Long) row.get("looked")).sum();
    round(exchange).full = looked >= ROWS;
  }

  /** The same page again where something may be left of it, else the next, else the round ends. */
  public void turnPage(Exchange exchange) {
    Round round = round(exchange);
    if (!round.full) {
      round.more = round.next != null;
      round.from = round.next;
    }
  }

  /** The time that the looks took decides when the next round begins; the advances' does not. */
  public void end(Exchange exchange) {
    Round round = round(exchange);
    if (round.lookedNanos > 0) {
      rests.after(feed(exchange), round.lookedNanos);
    }
  }

  private static Round round(Exchange exchange) {
    return exchange.getProperty(ROUND, Round.class);
  }

  private static boolean is(Map<String, Object> row, String column) {
    return Boolean.TRUE.equals(row.get(column));
  }

  private static String feed(Exchange exchange) {
    return exchange.getMessage().getHeader("feed", String.class);
  }

  private static void parameters(Exchange exchange, Map<String, Object> parameters) {
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, new HashMap<>(parameters));
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Exchange exchange) {
    return exchange.getMessage().getBody(List.class);
  }
}
