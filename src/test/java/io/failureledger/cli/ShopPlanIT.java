package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.embedded.Command;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.PostgresService;
import io.failureledger.scenario.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code shop plan} on a real Postgres: what it says of a target, and that it changes nothing. */
class ShopPlanIT {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name = "plan" + COUNT.incrementAndGet();
  private final String target = name + "_shop";
  private final Path home = Home.with("shopify");

  @BeforeEach
  void provision() throws Exception {
    Servers.createLedger(name);
    Servers.postgres().createDatabase(target);
    Files.writeString(
        home.resolve("own.properties"),
        "ledger.url=%s\nledger.username=%s\npubsub.project=p\npubsub.credentials=none\n"
            .formatted(url(name), PostgresService.USER));
    run(
        name,
        "insert into shop_connection (shop_domain, organization_id) values ('acme.example', 'acme')");
    run(
        name,
        "insert into target_database (organization_id, jdbc_url) values ('acme', '%s')"
            .formatted(url(target)));
    run(
        name,
        "insert into target_credential (target_database_id, username, password) select id, '%s', 'x' from target_database"
            .formatted(PostgresService.USER));
  }

  @AfterEach
  void delete() {
    Home.delete(home);
  }

  /** Without the user that the service puts into its URLs. */
  private static String url(String database) {
    return Servers.postgres().jdbcUrl(database).replaceAll("\\?.*", "");
  }

  private static void run(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(Servers.postgres().jdbcUrl(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String one(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(Servers.postgres().jdbcUrl(database));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private Command.Result plan(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("shop", "plan"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", home.resolve("own.properties").toString()));
    return Command.run(home, all.toArray(String[]::new));
  }

  @Test
  void anEmptyDatabaseWouldGetAllTablesAndGetsNone() throws Exception {
    for (Command.Result result :
        List.of(plan("--shop", "ACME.example"), plan("--organization", "acme"))) {
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(result.out())
          .startsWith("target database 1 of organization acme (" + url(target) + ")\n")
          .contains("\norders: would be created\n", "\norder_line_items: would be created\n");
    }
    assertThat(one(target, "select count(*) from pg_class where relname = 'orders'"))
        .isEqualTo("0");
  }

  @Test
  void whatIsMissingAndWhatIsIncompatibleIsToldByTable() throws Exception {
    run(
        target,
        "create table customers (shop_domain text, id bigint, source_time timestamptz, triggered_at timestamptz,"
            + " deleted_at timestamptz, event_id text, email text generated always as ('x') stored, first_name text,"
            + " last_name text, state text, currency text, orders_count bigint, total_spent numeric, created_at timestamptz,"
            + " snapshot json, primary key (shop_domain, id))");
    Command.Result additive = plan("--shop", "acme.example");
    assertThat(additive.exitCode()).isZero();
    assertThat(additive.out())
        .contains(
            "\ncustomers: columns would be added: updated_at timestamptz; made by the target: email\n");
    run(target, "alter table customers alter column total_spent type real");
    Command.Result result = plan("--shop", "acme.example");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "\ncustomers: incompatible; made by the target: email\n"
                + "  The column total_spent of the table customers is of type real; wanted is number (numeric).\n");
    assertThat(plan("--shop", "acme.example", "--json").out())
        .contains(
            "{\"table\":\"customers\",\"state\":\"incompatible\",\"added\":[\"updated_at timestamptz\"],"
                + "\"incompatible\":[\"The column total_spent of the table customers is of type real;"
                + " wanted is number (numeric).\"],\"made_by_target\":[\"email\"]}")
        .contains(
            "{\"table\":\"orders\",\"state\":\"absent\",\"added\":[],\"incompatible\":[],\"made_by_target\":[]}");
    assertThat(
            one(
                target,
                "select count(*) from pg_attribute where attname = 'updated_at' and attnum > 0 and attrelid = 'customers'::regclass"))
        .isEqualTo("0");
  }

  @Test
  void anUnknownShopOrOrganizationEndsWithThree() throws Exception {
    Command.Result shop = plan("--shop", "nobody.example");
    assertThat(shop.exitCode()).isEqualTo(3);
    assertThat(shop.err()).contains("nobody.example").hasLineCount(1);
    Command.Result organization = plan("--organization", "none");
    assertThat(organization.exitCode()).isEqualTo(3);
    assertThat(organization.err())
        .isEqualToIgnoringNewLines("none has no target; see target list.");
    assertThat(plan().exitCode()).isEqualTo(2);
    assertThat(plan("--shop", "a", "--organization", "b").exitCode()).isEqualTo(2);
  }

  @Test
  void aDatabaseThatCannotBeReachedIsToldInASentence() throws Exception {
    run(name, "update target_database set jdbc_url = 'jdbc:postgresql://localhost:1/none'");
    Command.Result result = plan("--shop", "acme.example");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("the database could not be looked at: ")
        .contains("refused")
        .doesNotContain("Exception");
    assertThat(result.out()).isEmpty();
  }
}
