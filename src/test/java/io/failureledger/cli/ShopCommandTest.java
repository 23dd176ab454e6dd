package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.embedded.Command;
import io.failureledger.embedded.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code shop sql} shows what is made of a description, and connects to nothing. */
class ShopCommandTest {
  private final Path home = Home.with("shopify");

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        home.resolve("own.properties"),
        "ledger.url=jdbc:postgresql://localhost:1/ledger\nledger.username=nobody\n"
            + "pubsub.project=p\npubsub.credentials=none\n");
  }

  @AfterEach
  void delete() {
    Home.delete(home);
  }

  private Command.Result sql(String... arguments) {
    String[] all = new String[arguments.length + 4];
    all[0] = "shop";
    all[1] = "sql";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    all[all.length - 2] = "--config";
    all[all.length - 1] = home.resolve("own.properties").toString();
    return Command.run(home, all);
  }

  @Test
  void aTablesStatementsArePrintedWithThoseOfItsChildren() {
    Command.Result result = sql("orders");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .startsWith(
            "-- Creates the table where it is absent.\ncreate table if not exists \"orders\" (")
        .containsSubsequence(
            "-- Writes a snapshot, unless a newer one is there.\ninsert into \"orders\"",
            "-- Writes that it is gone, unless a newer snapshot is there.\ninsert into \"orders\"",
            "create table if not exists \"order_line_items\"",
            "with item as (",
            "delete from \"order_line_items\"");
    assertThat(sql("order_line_items").out())
        .startsWith("-- Creates the table of line_items.")
        .doesNotContain("\"orders\"");
  }

  @Test
  void anUnknownTableIsToldWithThoseThatAreKnown() {
    Command.Result result = sql("order");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err())
        .contains("no table is called order; known are app_uninstalls, customers,", "orders")
        .hasLineCount(1);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aWrongDescriptionIsToldLikeAnyMistakeOfAHome() throws IOException {
    Files.writeString(home.resolve("routes/feeds/shopify/a.table.yaml"), "topics: [a/*]\n");
    Command.Result result = sql("orders");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .isEqualToIgnoringNewLines(
            "routes/feeds/shopify/a.table.yaml, line 1: the key key is missing in the file");
  }
}
