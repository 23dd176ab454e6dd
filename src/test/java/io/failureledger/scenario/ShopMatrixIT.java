package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.PostgresService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can go wrong with an event of a shop, and is cured while the bundle runs: caused, seen in
 * the ledger, cured as an operator cures it, replayed. Each case has a shop, an organization and a
 * database of its own. {@link ShopDeployIT} has what needs a restart.
 */
@Timeout(120)
class ShopMatrixIT {
  private static final String ORDER = order("3.10");

  /** A tenth of {@code shopify.statement.timeout} of this bundle, and half of its lock time-out. */
  private static final String DEADLOCK_TIMEOUT = "500ms";

  private static Shops shops;
  private static Operator operator;
  private static int cases;

  @TempDir private static Path secrets;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final String organization = "org" + ++cases;
  private final String shop = organization + ".myshopify.com";

  @BeforeAll
  static void start() throws Exception {
    shops =
        new Shops(
            "shopify.connect.timeout=1s",
            "shopify.statement.timeout=4s",
            "breaker.threshold=100000",
            "breaker.share=0");
    operator = new Operator(shops.site, "shopify");
  }

  @AfterAll
  static void stop() throws Exception {
    operator.close();
    shops.close();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private static String order(String price) {
    return "{\"id\":9,\"name\":\"#9\",\"updated_at\":\"2026-03-02T08:00:00Z\",\"total_price\":\"%s\",\"line_items\":[{\"id\":1}]}"
        .formatted(price);
  }

  private static void says(String... words) {
    assertThat(operator.says(words)).as(operator.heard()).isZero();
  }

  private static String secret(String password) throws Exception {
    Path file = Files.createTempFile(secrets, "password", "");
    Files.writeString(file, password);
    return "file:" + file;
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://localhost:" + port + "/" + database;
  }

  private void addTarget(String url, String user, String credential) {
    says(
        "target",
        "add",
        organization,
        "--url",
        url,
        "--user",
        user,
        "--credential",
        credential,
        "--reason",
        "a new organization");
  }

  private void connect() {
    says("shop", "connect", shop, "--organization", organization);
  }

  /** A database of this case alone, and a look into it. */
  private LedgerView database() {
    Servers.postgres().createDatabase(databaseName());
    LedgerView target = new LedgerView(Servers.postgres().jdbcUrl(databaseName()));
    opened.add(target);
    return target;
  }

  private String databaseName() {
    return shops.site.name + organization;
  }

  /** All is as it should be. */
  private LedgerView connected() throws Exception {
    LedgerView target = database();
    addTarget(url(Servers.postgres().port(), databaseName()), PostgresService.USER, secret("x"));
    connect();
    return target;
  }

  /** An order lands, so that its tables are there. */
  private LedgerView landed() throws Exception {
    LedgerView target = connected();
    shops.send(shop, "orders/create", ORDER);
    assertThat(price(target)).isEqualTo("3.10");
    return target;
  }

  private ParkedEvent parked(String body) throws Exception {
    shops.send(shop, "orders/create", body);
    return new ParkedEvent(shops.site.ledger, shop).has(shop, "orders/create", body);
  }

  /** Another order of the same id, which is newer than the first. */
  private ParkedEvent parkedNewer() throws Exception {
    return parked(order("4.20").replace("03-02", "03-03"));
  }

  private static String price(LedgerView target) {
    return target.value("select total_price::text from orders");
  }

  private static void hasItsItem(LedgerView target) {
    assertThat(target.<Long>value("select count(*) from order_line_items")).isOne();
  }

  @Test
  void whatIsNoJsonIsFailedWithItsBytesUntilTheyAreCorrected() throws Exception {
    LedgerView target = connected();
    String broken = ORDER.substring(0, 40);
    ParkedEvent event = parked(broken).ofClass("terminal").failedBy("Exception", "not valid JSON");
    assertThat(event.row.get("stack_trace").toString()).contains("MalformedEventException");
    event.replay().awaitStatus("failed");

    shops.site.ledger.run(
        "update failed_event_content set body = convert_to('%s', 'UTF8') where failed_event_id = %d"
            .formatted(ORDER, event.id()));
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
    hasItsItem(target);
  }

  @Test
  void whatIsNoObjectIsSentAgainByItsPublisherAndTheRowDiscarded() throws Exception {
    LedgerView target = connected();
    ParkedEvent event =
        parked("[%s]".formatted(ORDER))
            .ofClass("terminal")
            .failedBy("MalformedEventException", "object");
    shops.send(shop, "orders/create", ORDER);
    assertThat(price(target)).isEqualTo("3.10");
    shops.site.ledger.run(OperatorPage.discard(event.id()));
    event.awaitStatus("discarded");
  }

  @Test
  void whatIsMalformedIsFailedAndNamesTheField() throws Exception {
    LedgerView target = connected();
    String wrong = ORDER.replace("\"3.10\"", "\"three\"");
    ParkedEvent event =
        parked(wrong)
            .ofClass("terminal")
            .failedBy("MalformedEventException", "total_price", "three");
    shops.site.ledger.run(
        "update failed_event_content set body = convert_to('%s', 'UTF8') where failed_event_id = %d"
            .formatted(ORDER, event.id()));
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  @Test
  void aShopThatNobodyConnectedWaitsForShopConnect() throws Exception {
    ParkedEvent event = parked(ORDER).ofClass("retry").failedBy("NoShopConnectionException", shop);
    LedgerView target = connected();
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
    hasItsItem(target);
  }

  @Test
  void aShopWithTwoConnectionsWaitsUntilOneIsClosed() throws Exception {
    LedgerView target = connected();
    // As the command leaves none, but older records have them.
    shops.site.ledger.run(
        "insert into shop_connection (shop_domain, organization_id) values ('%s', 'former')"
            .formatted(shop));
    ParkedEvent event =
        parked(ORDER)
            .ofClass("retry")
            .failedBy("SeveralShopConnectionsException", shop, organization, "former");
    says("shop", "disconnect", shop, "--organization", "former");
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  @Test
  void anOrganizationWithoutADatabaseWaitsForTargetAdd() throws Exception {
    connect();
    ParkedEvent event =
        parked(ORDER)
            .ofClass("retry")
            .failedBy("NoTargetDatabaseException", shop, organization, "target_database");
    LedgerView target = database();
    addTarget(url(Servers.postgres().port(), databaseName()), PostgresService.USER, secret("x"));
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  @Test
  void aDatabaseWithoutACredentialWaitsForTargetRotate() throws Exception {
    connect();
    LedgerView target = database();
    shops.site.ledger.run(
        "insert into target_database (organization_id, jdbc_url) values ('%s', '%s')"
            .formatted(organization, url(Servers.postgres().port(), databaseName())));
    ParkedEvent event =
        parked(ORDER)
            .ofClass("retry")
            .failedBy("NoTargetCredentialException", shop, organization, "target_credential");
    says(
        "target",
        "rotate",
        organization,
        "--user",
        PostgresService.USER,
        "--credential",
        secret("x"));
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  @Test
  void aPasswordThatIsNotInItsPlaceIsReadWhenItIsThere() throws Exception {
    connect();
    LedgerView target = database();
    Path file = secrets.resolve("comes-later");
    addTarget(url(Servers.postgres().port(), databaseName()), PostgresService.USER, "file:" + file);
    ParkedEvent event =
        parked(ORDER)
            .ofClass("retry")
            .failedBy("NoTargetCredentialException", shop, organization, file.toString());
    Files.writeString(file, "x\n");
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  @Test
  void aWrongPasswordWaitsForTheRightOne() throws Exception {
    LedgerView target = database();
    String user = databaseName() + "_user";
    target.run("create role " + user + " login password 'right'");
    target.run("alter database " + databaseName() + " owner to " + user);
    askForThePassword(target, user);
    addTarget(url(Servers.postgres().port(), databaseName()), user, secret("wrong"));
    connect();

    ParkedEvent event =
        parked(ORDER).ofClass("pause").failedBy("PSQLException", "password authentication", user);
    assertThat(event.row.get("error_message").toString() + event.row.get("stack_trace"))
        .doesNotContain("wrong");
    says("target", "rotate", organization, "--credential", secret("right"));
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");
  }

  /** The server trusts everybody; from now on not this user. */
  private static void askForThePassword(LedgerView server, String user) throws Exception {
    Path rules = Path.of(server.<String>value("select current_setting('hba_file')"));
    Files.writeString(rules, "host all " + user + " all scram-sha-256\n" + Files.readString(rules));
    server.rows("select pg_reload_conf()");
    String url = url(Servers.postgres().port(), "postgres");
    await()
        .atMost(30, SECONDS)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> DriverManager.getConnection(url, user, "no").close())
                    .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01")));
  }

  @Test
  void aDatabaseThatIsStoppedOrCutOffWaitsUntilItIsBack() throws Exception {
    LedgerView target = database();
    int port = FreePort.find();
    addTarget(url(port, databaseName()), PostgresService.USER, secret("x"));
    connect();
    ParkedEvent event = parked(ORDER).ofClass("pause").failedBy("ConnectException", "refused");

    LedgerRelay network = new LedgerRelay(port, Servers.postgres().port());
    opened.add(network);
    event.resolves();
    assertThat(price(target)).isEqualTo("3.10");

    network.cut();
    ParkedEvent cut = parkedNewer().ofClass("pause").failedBy("Exception");
    network.mend();
    cut.resolves();
    assertThat(price(target)).isEqualTo("4.20");
  }

  @Test
  void aColumnThatIsMissingAndMayNotBeAddedWaitsForItsOwner() throws Exception {
    LedgerView target = database();
    String user = databaseName() + "_user";
    target.run("create role " + user + " login");
    target.run("alter database " + databaseName() + " owner to " + user);
    addTarget(url(Servers.postgres().port(), databaseName()), user, secret("x"));
    connect();
    shops.send(shop, "orders/create", ORDER);
    target.run("alter table orders drop column currency");
    target.run("alter table orders owner to " + PostgresService.USER);
    target.run("grant select, insert, update on orders to " + user);

    ParkedEvent event =
        parkedNewer().ofClass("retry").failedBy("PSQLException", "must be owner of table orders");
    assertThat(operator.says("shop", "plan", "--shop", shop)).isZero();
    assertThat(operator.heard()).contains("orders: columns would be added: currency text");
    target.run("alter table orders add column currency text");
    event.resolves();
    assertThat(price(target)).isEqualTo("4.20");
  }

  @Test
  void aColumnOfAnotherTypeWaitsForItsCorrection() throws Exception {
    LedgerView target = landed();
    target.run("alter table orders alter column total_price type boolean using true");
    ParkedEvent event =
        parkedNewer()
            .ofClass("retry")
            .failedBy("IncompatibleColumnException", "orders", "total_price", "boolean", "numeric");
    assertThat(operator.says("shop", "plan", "--shop", shop)).isOne();
    assertThat(operator.heard()).contains("orders: incompatible");
    target.run("alter table orders alter column total_price type numeric using null");
    event.resolves();
    assertThat(price(target)).isEqualTo("4.20");
    hasItsItem(target);
  }

  @Test
  void aTableThatIsLockedWaitsUntilTheLockIsGone() throws Exception {
    LedgerView target = landed();
    target.run("begin");
    target.run("lock table orders in access exclusive mode");
    ParkedEvent event = parkedNewer().ofClass("retry").failedBy("PSQLException", "lock timeout");
    target.run("rollback");
    event.resolves();
    assertThat(price(target)).isEqualTo("4.20");
  }

  @Test
  void aDeadlockThatComesAgainAndAgainWaitsUntilItsOtherSideIsGone() throws Exception {
    LedgerView target = connected();
    target.run(
        "alter database %s set deadlock_timeout = '%s'"
            .formatted(databaseName(), DEADLOCK_TIMEOUT));
    shops.send(shop, "orders/create", ORDER);
    // The event's transaction takes 1, then 2. The other side takes 2, then 1.
    target.run(
        """
        create function meet() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock(1);
          loop
            exit when exists (select from pg_locks where locktype = 'advisory' and objid = 2 and granted
              and database = (select oid from pg_database where datname = current_database()));
          end loop;
          perform pg_advisory_xact_lock(2);
          return new;
        end $$;
        create trigger meet before insert or update on orders for each row execute function meet()""");
    OtherSide other = new OtherSide(Servers.postgres().jdbcUrl(databaseName()));
    opened.add(other);

    ParkedEvent event = parkedNewer().ofClass("retry").failedBy("PSQLException", "deadlock");
    other.close();
    target.run("drop trigger meet on orders");
    event.resolves();
    assertThat(price(target)).isEqualTo("4.20");
  }

  /** Takes the same locks the other way round, again and again, and is never the victim. */
  private static final class OtherSide implements AutoCloseable {
    private final LedgerView session;
    private final Thread thread = new Thread(this::run, "other-side");
    private volatile boolean ends;

    OtherSide(String url) {
      session = new LedgerView(url);
      session.run("set deadlock_timeout = '60s'");
      thread.start();
    }

    private void run() {
      while (!ends) {
        session.rows("select pg_advisory_xact_lock(2), pg_advisory_xact_lock(1)");
      }
    }

    @Override
    public void close() throws InterruptedException {
      ends = true;
      thread.join();
      session.close();
    }
  }
}
