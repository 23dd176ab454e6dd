package io.failureledger.fault;

import static io.failureledger.fault.Fault.AWAY;
import static io.failureledger.fault.Fault.CONFLICT;
import static io.failureledger.fault.Fault.OTHER;
import static io.failureledger.fault.Fault.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.driver.exceptions.AuthenticationException;
import org.neo4j.driver.exceptions.ClientException;
import org.neo4j.driver.exceptions.ServiceUnavailableException;
import org.neo4j.driver.exceptions.SessionExpiredException;

/** What servers say, to the ledger and to a target, however deep it is wrapped. */
class FaultTest {
  private static Throwable wrapped(Throwable said) {
    return new IllegalStateException("outer", new RuntimeException(said));
  }

  @ParameterizedTest
  @CsvSource({
    "08001, AWAY, AWAY",
    "08006, AWAY, AWAY",
    "28P01, AWAY, AWAY",
    "3D000, AWAY, AWAY",
    "53100, AWAY, AWAY",
    "53200, AWAY, AWAY",
    "53300, AWAY, AWAY",
    "57P01, AWAY, AWAY",
    "57P03, AWAY, AWAY",
    "58030, AWAY, AWAY",
    "25006, AWAY, AWAY",
    "42501, AWAY, OTHER",
    "57014, AWAY, OTHER",
    "40001, CONFLICT, CONFLICT",
    "40P01, CONFLICT, CONFLICT",
    "55P03, CONFLICT, CONFLICT",
    "22021, REFUSED, REFUSED",
    "22P05, REFUSED, REFUSED",
    "23505, REFUSED, REFUSED",
    "23514, REFUSED, REFUSED",
    "54000, REFUSED, REFUSED",
    "42601, OTHER, OTHER",
    "42P01, OTHER, OTHER",
    "42703, OTHER, OTHER",
    "XX000, OTHER, OTHER"
  })
  void aSqlstateMeansOneThingToTheLedgerAndOneToATarget(String state, Fault ledger, Fault target) {
    Throwable thrown = wrapped(new SQLException("said", state));
    assertThat(Fault.ofLedger(thrown)).isEqualTo(ledger);
    assertThat(Fault.ofTarget(thrown)).isEqualTo(target);
  }

  @Test
  void whateverConnectingThrowsIsAway() {
    for (Throwable thrown :
        List.of(
            new SQLTransientConnectionException("the pool has none to spare"),
            new SQLNonTransientConnectionException("55000 from a template database", "55000"),
            new ConnectException("refused"),
            new SocketTimeoutException("timed out"),
            new UnknownHostException("no such host"),
            new SSLHandshakeException("the certificate is out of date"),
            new HttpHostConnectException("refused"),
            new ConnectTimeoutException("timed out"),
            new ServiceUnavailableException("down"),
            new SessionExpiredException("no leader"),
            new AuthenticationException("Neo.ClientError.Security.Unauthorized", "wrong password"),
            new ClientException("Neo.ClientError.Database.DatabaseNotFound", "gone"),
            new ClientException("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "no"))) {
      assertThat(Fault.ofTarget(wrapped(thrown))).as(thrown.toString()).isEqualTo(AWAY);
      assertThat(Fault.ofLedger(wrapped(thrown))).as(thrown.toString()).isEqualTo(AWAY);
    }
  }

  @Test
  void anythingElseIsOther() {
    for (Throwable thrown :
        List.of(
            new IllegalStateException("a bug"),
            new SQLException("no state"),
            new ClientException("Neo.ClientError.Statement.SyntaxError", "no"),
            new org.neo4j.driver.exceptions.SecurityException(
                "Neo.ClientError.Security.Forbidden", "no"))) {
      assertThat(Fault.ofTarget(wrapped(thrown))).as(thrown.toString()).isEqualTo(OTHER);
      assertThat(Fault.ofLedger(wrapped(thrown))).as(thrown.toString()).isEqualTo(OTHER);
    }
  }

  @Test
  void aStatementThatTookTooLongIsTheLedgersBeingAwayAndNoTargets() {
    assertThat(Fault.ofLedger(new SQLTimeoutException("too long"))).isEqualTo(AWAY);
    assertThat(Fault.ofTarget(new SQLTimeoutException("too long"))).isEqualTo(OTHER);
  }

  @Test
  void aChainThatRunsInACircleEnds() {
    Exception one = new Exception();
    one.initCause(new Exception(one));
    assertThat(Fault.ofLedger(one)).isEqualTo(OTHER);
    assertThat(Fault.ofLedger(wrapped(new SQLException("said", "40001")))).isEqualTo(CONFLICT);
    assertThat(Fault.ofLedger(wrapped(new SQLException("said", "22021")))).isEqualTo(REFUSED);
  }
}
