package io.failureledger.policy;

import static io.failureledger.policy.ErrorClass.PAUSE;
import static io.failureledger.policy.ErrorClass.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.fault.Fault;
import io.failureledger.settings.Settings;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.driver.exceptions.AuthenticationException;
import org.neo4j.driver.exceptions.ServiceUnavailableException;
import org.neo4j.driver.exceptions.SessionExpiredException;

/** What the shipped policies take for what, asked with the drivers' own exceptions. */
class ShippedPoliciesTest {
  private static RetryPolicy policy(String name) {
    Properties needed = new Properties();
    needed.setProperty("ledger.url", "jdbc:postgresql://localhost:1/nowhere");
    needed.setProperty("ledger.username", "nobody");
    needed.setProperty("pubsub.project", "test");
    return Policies.of(Settings.load(Path.of("."), needed), Fault::stateOf, Fault::isTargetAway)
        .get(name);
  }

  private static ErrorClass of(String policy, Throwable thrown) {
    return policy(policy).errors().of(new RuntimeException("a step failed", thrown));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger", "persist"})
  void aTargetThatCannotBeReachedPauses(String policy) {
    for (Throwable away :
        new Throwable[] {
          new ConnectException("refused"),
          new SocketTimeoutException("timed out"),
          new UnknownHostException("no such host"),
          new HttpHostConnectException("refused"),
          new ServiceUnavailableException("down"),
          new SessionExpiredException("no leader"),
          new AuthenticationException("Neo.ClientError.Security.Unauthorized", "wrong password")
        }) {
      assertThat(of(policy, away)).as(away.toString()).isEqualTo(PAUSE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "08001,PAUSE",
    "08006,PAUSE",
    "28P01,PAUSE",
    "28000,PAUSE",
    "3D000,PAUSE",
    "53300,PAUSE",
    "57P01,PAUSE",
    "57P03,PAUSE",
    "53100,PAUSE",
    "58030,PAUSE",
    "25006,PAUSE",
    "42501,RETRY",
    "57014,RETRY",
    "40P01,RETRY",
    "55P03,RETRY",
    "42703,RETRY",
    "23505,RETRY",
    "42P01,RETRY"
  })
  void aSqlstateIsTakenForWhatItMeans(String state, ErrorClass expected) {
    assertThat(of("ledger", new SQLException("the target says", state))).isEqualTo(expected);
    assertThat(of("persist", new SQLException("the target says", state))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger", "persist"})
  void aBugOfAHandlerIsRetried(String policy) {
    assertThat(of(policy, new NullPointerException())).isEqualTo(RETRY);
  }
}
