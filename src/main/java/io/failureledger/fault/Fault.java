package io.failureledger.fault;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.neo4j.driver.exceptions.DiscoveryException;
import org.neo4j.driver.exceptions.FatalDiscoveryException;
import org.neo4j.driver.exceptions.Neo4jException;
import org.neo4j.driver.exceptions.SecurityException;
import org.neo4j.driver.exceptions.ServiceUnavailableException;
import org.neo4j.driver.exceptions.SessionExpiredException;
import org.neo4j.driver.exceptions.UntrustedServerException;

/**
 * What an exception of a database, a graph or an HTTP client says of the server behind it. The one
 * place that judges SQLSTATEs and drivers' exceptions; the caller says whether the ledger or a
 * target was asked. The whole cause chain counts.
 *
 * <p>Example: a database that is full (53100) is away, for ledger and target alike. A statement
 * that ran into its time-out (57014) is so for the ledger only, whose statements are ours. For a
 * target that may be the event's own fault.
 */
public enum Fault {
  /** Every event would fail alike, and this one is not to blame. */
  AWAY,
  /** Another transaction was met: the same statement may well succeed at once. */
  CONFLICT,
  /** The statement was taken and its values were not. */
  REFUSED,
  /** None of these. */
  OTHER;

  private static final int MAX_DEPTH = 50;

  /**
   * No connection (08), no such login (28) or database (3D), no resources (53), shut down (57P), an
   * I/O error (58), read-only (25006).
   */
  private static final List<String> AWAY_STATES =
      List.of("08", "28", "3D", "53", "57P", "58", "25006");

  /** Of the ledger besides: no right (42501), stopped by the server or its time-out (57). */
  private static final List<String> LEDGER_AWAY_STATES = List.of("42501", "57");

  /** What a person has to put right: no such login or database, no right. */
  private static final List<String> A_PERSONS_STATES = List.of("28", "3D", "42501");

  private static final List<String> CONFLICT_STATES = List.of("40001", "40P01", "55P03");
  private static final List<String> REFUSED_STATES = List.of("22", "23", "54");

  /** What connecting throws, whatever it says. */
  private static final List<Class<? extends Throwable>> NO_CONNECTION =
      List.of(
          SQLTransientConnectionException.class,
          SQLNonTransientConnectionException.class,
          ConnectException.class,
          NoRouteToHostException.class,
          UnknownHostException.class,
          UnresolvedAddressException.class,
          SocketTimeoutException.class,
          HttpConnectTimeoutException.class,
          ConnectionRequestTimeoutException.class,
          SSLHandshakeException.class,
          SSLPeerUnverifiedException.class,
          ServiceUnavailableException.class,
          SessionExpiredException.class,
          DiscoveryException.class,
          FatalDiscoveryException.class,
          UntrustedServerException.class);

  /** A graph that is there and takes nothing: how its codes end. */
  private static final Set<String> GRAPH_AWAY =
      Set.of(
          "DatabaseUnavailable", "DatabaseNotFound", "ForbiddenOnReadOnlyDatabase", "NotALeader");

  private static final String GRAPH_FORBIDDEN = "Neo.ClientError.Security.Forbidden";

  /** What the ledger said. */
  public static Fault ofLedger(Throwable thrown) {
    return any(thrown, one -> away(one) || isState(one, LEDGER_AWAY_STATES) || timedOut(one))
        ? AWAY
        : other(thrown);
  }

  /** What a target said: a database, a graph, or whatever a handler speaks to. */
  public static Fault ofTarget(Throwable thrown) {
    return any(thrown, Fault::away) ? AWAY : other(thrown);
  }

  /** The same as a question. */
  public static boolean isTargetAway(Throwable thrown) {
    return ofTarget(thrown) == AWAY;
  }

  /** Whether a ledger that is away may come back with nobody doing anything about it. */
  public static boolean ledgerHealsByItself(Throwable thrown) {
    return ofLedger(thrown) == AWAY && !any(thrown, one -> isState(one, A_PERSONS_STATES));
  }

  /** The SQLSTATE of this one exception, without its causes; null when it has none. */
  public static String stateOf(Throwable one) {
    return one instanceof SQLException sql ? sql.getSQLState() : null;
  }

  private static Fault other(Throwable thrown) {
    Throwable first = thrown;
    for (int depth = 0; depth < MAX_DEPTH && first != null && stateOf(first) == null; depth++) {
      first = first.getCause();
    }
    if (isState(first, CONFLICT_STATES)) {
      return CONFLICT;
    }
    return isState(first, REFUSED_STATES) ? REFUSED : OTHER;
  }

  private static boolean away(Throwable one) {
    return isState(one, AWAY_STATES)
        || NO_CONNECTION.stream().anyMatch(type -> type.isInstance(one))
        || (one instanceof Neo4jException graph && graphAway(graph));
  }

  /** Nobody may sign in, or the graph is read-only or gone. One forbidden statement is neither. */
  private static boolean graphAway(Neo4jException graph) {
    String code = String.valueOf(graph.code());
    return graph instanceof SecurityException
        ? !code.equals(GRAPH_FORBIDDEN)
        : GRAPH_AWAY.contains(code.substring(code.lastIndexOf('.') + 1));
  }

  private static boolean timedOut(Throwable one) {
    return one instanceof SQLTimeoutException;
  }

  private static boolean isState(Throwable one, List<String> prefixes) {
    String state = stateOf(one);
    return state != null && prefixes.stream().anyMatch(state::startsWith);
  }

  private static boolean any(Throwable thrown, Predicate<Throwable> what) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < MAX_DEPTH; t = t.getCause(), depth++) {
      if (what.test(t)) {
        return true;
      }
    }
    return false;
  }
}
