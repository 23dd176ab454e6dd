package io.failureledger.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.cli.App;
import io.failureledger.embedded.PostgresService;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does to shops and targets, with the rights of the shipped operator's role. */
class ShopAndTargetCommandsIT {
  private static final String SHOP = "acme.myshopify.com";

  private final PostgresService postgres = Servers.postgres();
  @TempDir private Path directory;
  private String database;
  private LedgerView ledger;

  private record Said(int code, String out, String err) {}

  @BeforeEach
  void migrate(TestInfo test) throws Exception {
    database = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    database = database.substring(0, Math.min(50, database.length()));
    postgres.createDatabase(database);
    ledger = new LedgerView(postgres.jdbcUrl(database));
    assertThat(saysAs("postgres", "migrate").code()).isZero();
    ledger.run("create role " + operator() + " login");
    ledger.run(Grants.shippedForOperator(operator()));
  }

  @AfterEach
  void close() {
    ledger.run("drop owned by " + operator());
    ledger.run("drop role " + operator());
    ledger.close();
  }

  private String operator() {
    return database + "_op";
  }

  private Said saysAs(String user, String... command) throws Exception {
    Path file = Files.createTempFile(directory, "settings", ".properties");
    Files.writeString(
        file,
        "ledger.url="
            + url(database)
            + "\nledger.username="
            + user
            + "\npubsub.project=test\npubsub.credentials=none\nshopify.connect.timeout=2s\n");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        App.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(
                Stream.concat(Stream.of(command), Stream.of("--config", file.toString()))
                    .toArray(String[]::new));
    return new Said(code, out.toString().strip(), err.toString().strip());
  }

  private Said says(String... command) throws Exception {
    return saysAs(operator(), command);
  }

  private Said reads(String stdin, String... command) throws Exception {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)));
    try {
      return says(command);
    } finally {
      System.setIn(before);
    }
  }

  private String url(String name) {
    return "jdbc:postgresql://localhost:" + postgres.port() + "/" + name;
  }

  private void addTarget(String organization) throws Exception {
    Said added =
        reads(
            "any\n",
            "target",
            "add",
            organization,
            "--url",
            url(database),
            "--user",
            "postgres",
            "--credential",
            "stdin");
    assertThat(added).isEqualTo(new Said(0, "the target of " + organization + " is added", ""));
  }

  private List<String> actions() {
    return ledger
        .rows("select action || ': ' || subject as said from operator_action order by id")
        .stream()
        .map(row -> (String) row.get("said"))
        .toList();
  }

  @Test
  void aShopIsConnectedOnceAndARepeatSaysSo() throws Exception {
    String[] connect = {
      "shop", "connect", "Acme.myshopify.com", "--organization", "acme", "--reason", "new"
    };
    assertThat(says(connect)).isEqualTo(new Said(0, SHOP + " is connected to acme", ""));
    assertThat(says(connect)).isEqualTo(new Said(0, SHOP + " is connected to acme already", ""));
    assertThat(says("shop", "connect", SHOP, "--organization", "other"))
        .isEqualTo(new Said(4, "", SHOP + " is connected to acme; disconnect it first."));
    assertThat(actions()).containsExactly("shop connect: " + SHOP + " to acme");
    assertThat(ledger.<String>value("select reason from operator_action")).isEqualTo("new");
  }

  @Test
  void ofManyThatConnectAShopAtOnceOneWins() throws Exception {
    ExecutorService together = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Said>> all =
          IntStream.range(0, 4)
              .<Callable<Said>>mapToObj(
                  n -> () -> says("shop", "connect", SHOP, "--organization", "org" + n))
              .toList();
      List<Integer> codes =
          together.invokeAll(all).stream().map(ShopAndTargetCommandsIT::code).sorted().toList();
      assertThat(codes).containsExactly(0, 4, 4, 4);
    } finally {
      together.shutdown();
    }
    assertThat(
            ledger.<Long>value(
                "select count(*) from shop_connection where disconnected_at is null"))
        .isEqualTo(1);
  }

  private static int code(Future<Said> said) {
    try {
      return said.get().code();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aShopWithSeveralConnectionsIsDisconnectedFromTheOneThatIsNamed() throws Exception {
    ledger.run(
        "insert into shop_connection (shop_domain, organization_id) values ('%1$s', 'one'), ('%1$s', 'two')"
            .formatted(SHOP));
    assertThat(says("shop", "list").out()).contains("one", "two", "several open");
    assertThat(says("shop", "disconnect", SHOP))
        .isEqualTo(
            new Said(
                4,
                "",
                SHOP + " is connected to one and two; say from which one, with --organization."));
    assertThat(says("shop", "disconnect", SHOP, "--organization", "two"))
        .isEqualTo(new Said(0, SHOP + " is disconnected from two", ""));
    assertThat(says("shop", "disconnect", SHOP, "--organization", "two"))
        .isEqualTo(new Said(0, SHOP + " is not connected to two", ""));
    assertThat(says("shop", "disconnect", "nobody.example"))
        .isEqualTo(new Said(3, "", "no shop is called nobody.example; see shop list."));
    assertThat(says("shop", "list").out()).contains("one", "no target").doesNotContain("two");
    assertThat(says("shop", "list", "--all").out()).contains("disconnected");
    assertThat(says("shop", "connect", "no shop", "--organization", "x").code()).isEqualTo(2);
  }

  @Test
  void aTargetIsAddedTestedRotatedAndRemovedAndItsPasswordIsNeverShown() throws Exception {
    says("shop", "connect", SHOP, "--organization", "acme");
    String[] add = {
      "target", "add", "acme", "--url", url(database), "--user", "postgres", "--credential", "stdin"
    };
    assertThat(reads("s3cret-one\n", add).out()).isEqualTo("the target of acme is added");
    assertThat(reads("s3cret-two\n", add))
        .isEqualTo(
            new Said(
                4, "", "acme has a target already; rotate its credential, or remove it first."));
    assertThat(says("target", "list").out())
        .contains("acme", "stored", url(database))
        .doesNotContain("s3cret");
    assertThat(says("target", "list", "--json").out())
        .contains("\"organization_id\":\"acme\"", "\"shops\":1")
        .doesNotContain("s3cret");
    assertThat(says("shop", "list").out()).containsPattern("acme +ok");
    Said tested = says("target", "test", "acme");
    assertThat(tested.code()).as(tested.toString()).isZero();
    assertThat(tested.out())
        .contains(
            "answers in", "signed in as postgres", "not encrypted", "Absent tables are created");
    Path secret = Files.writeString(directory.resolve("secret"), "s3cret-three\n");
    assertThat(says("target", "rotate", "acme", "--credential", "file:" + secret).out())
        .isEqualTo(
            "the target of acme is signed in to as postgres with the new credential, within 60 s");
    assertThat(ledger.<String>value("select password || reference from target_credential"))
        .isEqualTo("file:" + secret);
    assertThat(says("target", "remove", "acme"))
        .isEqualTo(
            new Said(
                4,
                "",
                "acme has 1 connected shops; disconnect them first, or their events are parked."));
    says("shop", "disconnect", SHOP);
    assertThat(says("target", "remove", "acme").code()).isZero();
    assertThat(says("target", "remove", "acme"))
        .isEqualTo(new Said(3, "", "acme has no target; see target list."));
    assertThat(actions())
        .containsExactly(
            "shop connect: " + SHOP + " to acme",
            "target add: acme",
            "target rotate: acme",
            "shop disconnect: " + SHOP + " from acme",
            "target remove: acme");
  }

  @Test
  void aPasswordAsAnArgumentIsRefusedAndNotRepeated() throws Exception {
    Said said =
        says(
            "target",
            "add",
            "acme",
            "--url",
            url(database),
            "--user",
            "u",
            "--credential",
            "s3cret");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("env:NAME and file:/PATH, or stdin").doesNotContain("s3cret");
    Said inUrl =
        says(
            "target",
            "add",
            "a",
            "--user",
            "u",
            "--credential",
            "env:X",
            "--url",
            url("x") + "?password=s3cret");
    assertThat(inUrl.code()).isEqualTo(2);
    assertThat(inUrl.err()).contains("without user and password").doesNotContain("s3cret");
    assertThat(
            reads(
                    "",
                    "target",
                    "add",
                    "a",
                    "--url",
                    url("x"),
                    "--user",
                    "u",
                    "--credential",
                    "stdin")
                .err())
        .startsWith("stdin gives no password");
    assertThat(says("target", "list").out()).hasLineCount(1);
  }

  @Test
  void aTestOfATargetSaysInWordsWhatItFound() throws Exception {
    addTarget("fine");
    ledger.run(
        "insert into target_database (organization_id, jdbc_url) values ('bare', '"
            + url("x")
            + "')");
    assertThat(says("target", "test", "bare"))
        .isEqualTo(
            new Said(3, "", "the target of bare has no credential; give one, with target rotate."));
    assertThat(says("target", "test", "nobody").code()).isEqualTo(3);
    says(
        "target",
        "add",
        "lost",
        "--url",
        url("x"),
        "--user",
        "u",
        "--credential",
        "env:NO_SUCH_NAME");
    assertThat(says("target", "test", "lost"))
        .isEqualTo(
            new Said(
                1,
                "",
                "the password of lost cannot be read: the environment of this process has no NO_SUCH_NAME."));
    assertThat(found("nowhere", url("nowhere")))
        .matches(said -> said.code() == 1 && said.out().contains("does not exist"));
    assertThat(found("dead", "jdbc:postgresql://localhost:1/x"))
        .matches(said -> said.code() == 5 && said.out().contains("refused"));
    ledger.run("alter database " + database + " set default_transaction_read_only = on");
    Said readOnly = saysAs("postgres", "target", "test", "fine");
    assertThat(readOnly.code()).as(readOnly.toString()).isEqualTo(1);
    assertThat(readOnly.out()).contains("It is read-only");
    ledger.run("set default_transaction_read_only = off");
    ledger.run("alter database " + database + " reset default_transaction_read_only");
  }

  private Said found(String organization, String url) throws Exception {
    reads(
        "x",
        "target",
        "add",
        organization,
        "--url",
        url,
        "--user",
        "postgres",
        "--credential",
        "stdin");
    return says("target", "test", organization);
  }

  @Test
  void aLedgerThatDoesNotAnswerIsNotWaitedFor() throws Exception {
    Path file = directory.resolve("away.properties");
    Files.writeString(
        file,
        "ledger.url=jdbc:postgresql://localhost:1/x\nledger.username=u\npubsub.project=p\npubsub.credentials=none\n");
    for (String command : List.of("shop list", "target list", "feed list", "retry")) {
      StringWriter err = new StringWriter();
      int code =
          App.commandLine()
              .setErr(new PrintWriter(err))
              .execute((command + " --config " + file).split(" "));
      assertThat(code).as(command + err).isEqualTo(5);
    }
  }
}
