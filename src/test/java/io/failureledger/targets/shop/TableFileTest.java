package io.failureledger.targets.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.failureledger.feeds.RouteRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A description that is wrong is told with file, line and what is allowed. */
class TableFileTest {
  private static final String FILE = ShopTables.DIRECTORY + "/drafts.table.yaml";

  /** One without a mistake; its lines are counted from 1. */
  private static final String GOOD =
      """
      # Draft orders.
      topics: [drafts/*]
      deletes: [drafts/delete]
      without: [drafts/viewed]
      key:
        id: integer
      source-time: /updated_at
      customer: /customer/id
      personal: [/email, /customer]
      columns:
        name: text
        email: text
        customer_id: {at: /customer/id, type: integer}
      children:
        draft_items:
          each: /line_items
          parent: {draft_id: id}
          key: {id: integer}
          columns: {sku: text}
      """;

  @TempDir Path home;

  private ShopTables read() {
    return ShopTables.read(home);
  }

  private void write(String file, String text) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("topics:", "topic:", 2, "there is no key topic here; did you mean topics?"),
        mistake("topics: [drafts/*]\n", "", 2, "the key topics is missing in the file"),
        mistake("topics: [drafts/*]", "topics: []", 2, "topics is empty"),
        mistake("topics: [drafts/*]", "topics: drafts/*", 2, "topics must be a list"),
        mistake("[drafts/*]", "[Drafts/*]", 2, "'Drafts/*' matches no topic; allowed are"),
        mistake("[drafts/*]", "[drafts]", 2, "'drafts' matches no topic"),
        mistake("[drafts/*]", "['*']", 2, "'*' matches no topic"),
        mistake("[drafts/*]", "[drafts/*, drafts/paid]", 2, "drafts/* and drafts/paid overlap"),
        mistake("[drafts/*]", "[drafts/*, shop/redact]", 2, "is a compliance topic"),
        mistake("[drafts/delete]", "[orders/delete]", 3, "'orders/delete' can never match"),
        mistake("[drafts/delete]", "[drafts/*]", 3, "deletes takes single topics among drafts/*"),
        mistake("[drafts/viewed]", "[drafts/delete]", 4, "drafts/delete is there twice"),
        mistake("[drafts/viewed]", "[drafts/a, drafts/a]", 4, "drafts/a is there twice"),
        mistake("key:\n  id: integer\n", "", 2, "the key key is missing in the file"),
        mistake("key:\n  id: integer", "key: {}", 5, "key is empty; name one column at least"),
        mistake("  id: integer\n", "  id: time\n", 5, "allowed are integer and text"),
        mistake(
            "  id: integer\n", "  id: int\n", 6, "there is no type int; allowed are text, integer"),
        mistake("  name: text", "  name: txt", 11, "did you mean text?"),
        mistake("  name: text", "  name: {at: /name}", 11, "the key type is missing in name"),
        mistake("  name: text", "  name: {at: /n, typ: text}", 11, "did you mean type?"),
        mistake("  name: text", "  name: [text]", 11, "name must be a single value"),
        mistake("  name: text", "  name:", 11, "name is empty"),
        mistake(
            "  name: text",
            "  Name: text",
            11,
            "'Name' cannot be the name of a column; allowed are"),
        mistake("  name: text", "  n\"; drop: text", 11, "cannot be the name of a column"),
        mistake(
            "  name: text",
            "  " + "n".repeat(64) + ": text",
            11,
            "has 64 bytes; PostgreSQL allows 63"),
        mistake("  name: text", "  source_time: time", 11, "is there in every table already"),
        mistake("  name: text", "  xmin: text", 11, "is there in every table already"),
        mistake(
            "  name: text",
            "  id: text",
            11,
            "the column id is there already: " + FILE + ", line 6"),
        mistake("  name: text", "  email: text", 12, "email is there twice"),
        mistake("/updated_at", "updated_at", 7, "'updated_at' is no JSON pointer to a field"),
        mistake(
            "/customer/id\npersonal", "/customer/\npersonal", 8, "'/customer/' is no JSON pointer"),
        mistake("[/email, /customer]", "[/email, '/a~2']", 9, "'/a~2' is no JSON pointer"),
        mistake("{at: /customer/id,", "{at: id,", 13, "one looks like /id or /customer/id"),
        mistake(
            "each: /line_items\n", "each: /line_items\n    cut-at: many\n", 17, "cut-at is 'many'"),
        mistake("    each: /line_items\n", "", 15, "the key each is missing in draft_items"),
        mistake("each: /line_items", "eech: /line_items", 16, "did you mean each?"),
        mistake("    parent:", "    parnt: {}\n    parent:", 17, "did you mean parent?"),
        mistake(
            "{draft_id: id}",
            "{draft_id: ids}",
            17,
            "the parent's key has no column ids; did you mean id?"),
        mistake("{draft_id: id}", "{}", 17, "id is missing"),
        mistake("{draft_id: id}", "{a: id, b: id}", 17, "the parent's column id is there twice"),
        mistake("{draft_id: id}", "{id: id}", 18, "the column id is there already"),
        mistake("draft_items:", "Draft-items:", 15, "'Draft-items' cannot be the name of a table"),
        mistake("columns: {sku: text}", "columns: {snapshot: text}", 19, "in every table already"),
        mistake("columns: {sku: text}", "columns: {sku: text", 20, "this is no YAML"),
        mistake(GOOD, "", 0, FILE + " is empty"),
        mistake(GOOD, "- topics", 1, "the file must be a map of keys and values"));
  }

  private static Arguments mistake(String right, String wrong, int line, String said) {
    if (!GOOD.contains(right)) {
      throw new IllegalArgumentException(right);
    }
    return Arguments.of(GOOD.replace(right, wrong), line, said);
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("mistakes")
  void aMistakeIsToldWithFileAndLine(String text, int line, String said) throws IOException {
    write(FILE, text);
    assertThatThrownBy(this::read)
        .isInstanceOf(RouteRefusedException.class)
        .message()
        .startsWith(line == 0 ? FILE : FILE + ", line " + line + ": ")
        .contains(said)
        .hasLineCount(1);
  }

  @Test
  void aDescriptionWithoutAMistakeIsReadWhole() throws IOException {
    write(FILE, GOOD);
    ShopTable table = read().find("draft_items").orElseThrow();
    assertThat(table.name()).isEqualTo("drafts");
    assertThat(table.customer().name()).isEqualTo("customer_id");
    assertThat(table.columns())
        .extracting(ShopColumn::name, ShopColumn::personal)
        .containsExactly(tuple("name", false), tuple("email", true), tuple("customer_id", true));
    assertThat(read().names()).containsExactly("drafts", "draft_items");
  }

  @Test
  void aTopicGoesToOneTable() throws IOException {
    write(FILE, GOOD);
    String other = ShopTables.DIRECTORY + "/views.table.yaml";
    write(other, "topics: [drafts/paid]\nkey: {id: integer}");
    assertThatThrownBy(this::read)
        .isInstanceOf(RouteRefusedException.class)
        .hasMessageContaining(
            other + ", line 1: the topics drafts/paid overlap with drafts/* of " + FILE);
    write(other, "topics: [drafts/viewed]\nkey: {id: integer}");
    assertThat(read().of("drafts/viewed", "a").table().name()).isEqualTo("views");
    assertThat(read().of("drafts/paid", "a").table().name()).isEqualTo("drafts");
  }

  @Test
  void aTableIsDescribedOnce() throws IOException {
    write(FILE, GOOD);
    String other = ShopTables.DIRECTORY + "/draft_items.table.yaml";
    write(other, "topics: [items/*]\nkey: {id: integer}");
    assertThatThrownBy(this::read)
        .isInstanceOf(RouteRefusedException.class)
        .hasMessage(FILE + ", line 15: the table draft_items is described already, in " + other);
  }

  @Test
  void aFileThatWouldNotBeReadIsToldToo() throws IOException {
    for (String name : List.of("drafts.yaml", "drafts.table.yml")) {
      String file = ShopTables.DIRECTORY + "/" + name;
      write(file, GOOD);
      assertThatThrownBy(this::read)
          .isInstanceOf(RouteRefusedException.class)
          .hasMessageContaining(file + " would not be read")
          .hasMessageContaining("ends in .table.yaml");
      Files.delete(home.resolve(file));
    }
  }

  @Test
  void aHomeWithoutDescriptionsHasNoTablesAndSaysSoToEachEvent() {
    assertThat(read().names()).isEmpty();
    assertThatThrownBy(() -> read().of("orders/paid", "acme.example"))
        .isInstanceOf(UnsupportedTopicException.class)
        .hasMessage(
            "The topic 'orders/paid' of shop acme.example is not supported;"
                + " no topic is described, because routes/feeds/shopify has no .table.yaml");
  }
}
