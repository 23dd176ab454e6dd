package io.failureledger.targets.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TargetPoolsIT extends TargetsOnPostgres {
  @Test
  void aWrongPasswordFailsAtOnceAndItsCorrectionCounts() throws Exception {
    postgres.provision("rotated.example", "rotated");
    ledger("alter role rotated password 'another'");
    requirePassword("rotated");
    long start = System.nanoTime();
    Throwable failure = deliver("rotated.example").getException();
    assertThat(failure)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    assertThat(failure.getMessage()).doesNotContain("pw-rotated");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isLessThan(TargetPostgres.LIMITS.connectTimeout());
    assertThat(targets.openPools()).isZero();
    ledger("update target_credential set password = 'another' where username = 'rotated'");
    assertThat(deliver("rotated.example").getException()).isNull();
  }

  @Test
  void aPoolThatWasReadOnlyWritesAgainWhenItsDatabaseDoes() throws Exception {
    postgres.provision("standby.example", "standby");
    ledger("alter role standby set default_transaction_read_only = on");
    assertThat(deliver("standby.example").getException())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
    ledger("alter role standby reset default_transaction_read_only");
    assertThat(deliver("standby.example").getException()).isNull();
  }

  /**
   * The embedded server trusts local connections; this makes it ask one role for its password. No
   * other test has a role of that name.
   */
  private static void requirePassword(String role) throws Exception {
    Path rules = Path.of(TargetPostgres.one(postgres.ledger(), "show hba_file"));
    Files.writeString(rules, "host all " + role + " all scram-sha-256\n" + Files.readString(rules));
    ledger("select pg_reload_conf()");
    Awaitility.await()
        .until(
            () ->
                "1"
                    .equals(
                        TargetPostgres.one(
                            postgres.ledger(),
                            "select count(*) from pg_hba_file_rules where user_name = '{"
                                + role
                                + "}'")));
  }

  @Test
  void aRefusedPortFailsAtOnceInTheDriversWords() throws Exception {
    postgres.connect("dark.example", "dark");
    postgres.register("dark", "jdbc:postgresql://localhost:1/dark");
    long start = System.nanoTime();
    assertThat(deliver("dark.example").getException())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
        .hasMessageContaining("refused");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isLessThan(TargetPostgres.LIMITS.connectTimeout());
  }

  @Test
  void oneMorePoolThanAllowedClosesTheLeastRecentlyUsed() throws Exception {
    for (String shop : new String[] {"a", "b", "c"}) {
      postgres.provision(shop + ".example", "org_" + shop);
      assertThat(deliver(shop + ".example").getException()).isNull();
    }
    assertThat(targets.openPools()).isEqualTo(2);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> connectionsTo("org_a").equals("0"));
    assertThat(connectionsTo("org_c")).isEqualTo("1");
    assertThat(deliver("a.example").getException()).isNull();
  }

  @Test
  void aPoolEvictedWhileInUseClosesAfterItsLastUser() throws Exception {
    for (String shop : new String[] {"d", "e", "f"}) {
      postgres.provision(shop + ".example", "org_" + shop);
    }
    CompletableFuture<Void> othersDone = new CompletableFuture<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> slow =
          threads.submit(
              () ->
                  targets.write(
                      targets.find("d.example"),
                      connection -> {
                        othersDone.join();
                        return connection.isValid(1);
                      }));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> connectionsTo("org_d").equals("1"));
      assertThat(deliver("e.example").getException()).isNull();
      assertThat(deliver("f.example").getException()).isNull();
      othersDone.complete(null);
      assertThat(slow.get()).isTrue();
    } finally {
      threads.shutdown();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> connectionsTo("org_d").equals("0"));
  }

  private static String connectionsTo(String database) throws SQLException {
    return TargetPostgres.one(
        postgres.ledger(),
        "select count(*) from pg_stat_activity where datname = '" + database + "'");
  }
}
