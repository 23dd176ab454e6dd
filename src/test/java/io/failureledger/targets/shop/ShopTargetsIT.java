package io.failureledger.targets.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.handler.MissingTargetException;
import io.failureledger.targets.shop.databases.NoShopConnectionException;
import io.failureledger.targets.shop.databases.NoTargetCredentialException;
import io.failureledger.targets.shop.databases.NoTargetDatabaseException;
import io.failureledger.targets.shop.databases.SeveralShopConnectionsException;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class ShopTargetsIT extends TargetsOnPostgres {
  private final AtomicLong nanoTime = new AtomicLong();

  @Override
  long now() {
    return nanoTime.get();
  }

  private void failsWith(
      Class<? extends MissingTargetException> type, String shop, String message) {
    Exchange failed = deliver(shop);
    assertThat(failed.getException()).isExactlyInstanceOf(type).hasMessage(message);
    assertThat(failed.getProperty("target")).isEqualTo("shop:" + shop);
  }

  @Test
  void anUnknownShopIsNamedAndDeliveredOnceItIsProvisioned() throws Exception {
    failsWith(
        NoShopConnectionException.class,
        "new.example",
        "Shop new.example has no open record in shop_connection.");
    postgres.connect("New.example", "late");
    failsWith(
        NoTargetDatabaseException.class,
        "new.example",
        "Shop new.example belongs to organization late, which has no record in target_database.");
    ledger(
        "create database late",
        "insert into target_database (id, organization_id, jdbc_url) overriding system value"
            + " values (77, 'late', '"
            + postgres.url("late")
            + "')");
    failsWith(
        NoTargetCredentialException.class,
        "new.example",
        "Shop new.example belongs to organization late, which has no record in target_credential"
            + " for its target database 77.");
    ledger(
        "insert into target_credential (target_database_id, username, password)"
            + " values (77, 'postgres', '')");
    assertThat(deliver("new.example").getException()).isNull();
  }

  @Test
  void aDoubledShopIsRefusedUntilOneRecordIsClosed() throws Exception {
    postgres.provision("twice.example", "one");
    postgres.connect("twice.example", "other");
    Exchange failed = deliver("twice.example");
    assertThat(failed.getException())
        .isExactlyInstanceOf(SeveralShopConnectionsException.class)
        .hasMessageMatching(
            "Shop twice.example has several open records in shop_connection, and exactly one is"
                + " needed: \\d+ of organization one, \\d+ of organization other\\.");
    ledger("update shop_connection set disconnected_at = now() where organization_id = 'other'");
    assertThat(deliver("twice.example").getException()).isNull();
  }

  @Test
  void aPasswordInAFileIsReadWhenTheTargetIsLookedUp(@TempDir Path directory) throws Exception {
    postgres.provision("filed.example", "filed");
    Path secret = directory.resolve("secret");
    ledger(
        "update target_credential set password = '', reference = 'file:%s' where username = 'filed'"
            .formatted(secret));
    Exchange failed = deliver("filed.example");
    assertThat(failed.getException())
        .isExactlyInstanceOf(NoTargetCredentialException.class)
        .hasMessageContaining("which has its password in file:" + secret + ", but the file");
    Files.writeString(secret, "pw-filed\n");
    assertThat(deliver("filed.example").getException()).isNull();
  }

  @Test
  void aFoundTargetIsRememberedForSixtySeconds() throws Exception {
    postgres.provision("moved.example", "moved");
    TargetDatabase before = targets.find("moved.example");
    ledger("update target_credential set password = 'new' where username = 'moved'");
    nanoTime.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(targets.find("moved.example")).isEqualTo(before);
    nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(targets.find("moved.example").password()).isEqualTo("new");
    assertThat(before.toString()).doesNotContain("pw-moved");
  }

  @Test
  void aConnectionToATargetIsDurableAndBounded() throws Exception {
    postgres.provision("bounded.example", "bounded");
    String settings =
        targets.write(
            targets.find("bounded.example"),
            connection -> {
              String ask =
                  "select concat_ws(' ', current_setting('synchronous_commit'),"
                      + " current_setting('statement_timeout'), current_setting('lock_timeout'))";
              try (ResultSet row = connection.createStatement().executeQuery(ask)) {
                row.next();
                return row.getString(1);
              }
            });
    assertThat(settings).isEqualTo("on 2s 500ms");
  }

  @Test
  void aLedgerThatCannotBeAskedIsSaidSo() throws Exception {
    try (ShopTargets blind = new ShopTargets(unreachable(), TargetPostgres.LIMITS)) {
      assertThatThrownBy(() -> blind.find("any.example"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("The ledger could not be asked for the target of shop any.example");
    }
  }

  private static DataSource unreachable() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"localhost"});
    source.setPortNumbers(new int[] {1});
    return source;
  }
}
