package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A file under sql/ is one statement, takes named parameters only, and is used. */
class StatementFilesTest {
  private static final String SQL = "src/main/resources/sql/";
  private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern TEXT = Pattern.compile("'(?:[^']|'')*'");
  private static final Pattern NAMED = Pattern.compile(":\\?[a-z][a-z_]*");
  private static final Pattern JAVA_NAME =
      Pattern.compile("\"/?(?:sql/)?([a-z_]+/[a-z-]+)(?:\\.sql)?\"");

  private static List<String> problems(String name, String sql) {
    List<String> problems = new ArrayList<>();
    if (COMMENT.matcher(sql).results().anyMatch(comment -> comment.group().contains("?"))) {
      problems.add(name + " has a question mark in a comment, where it is taken for a parameter");
    }
    String bare = TEXT.matcher(COMMENT.matcher(sql).replaceAll("")).replaceAll("''");
    if (bare.contains(";")) {
      problems.add(name + " must be one statement, without a semicolon");
    }
    if (NAMED.matcher(bare).replaceAll("").contains("?")) {
      problems.add(name + " has a parameter without a name");
    }
    if (bare.contains("${") || bare.contains("{{")) {
      problems.add(name + " is put together from text");
    }
    if (!name.matches("[a-z_]+/[a-z]+-[a-z-]+")) {
      problems.add(name + " must be called <table>/<verb>-<object>");
    }
    if (!sql.startsWith("--")) {
      problems.add(name + " does not say what it is for");
    }
    return problems;
  }

  private static Map<String, String> statements() {
    return Sources.below(".sql", SQL).entrySet().stream()
        .collect(
            Collectors.toMap(
                file -> file.getKey().substring(SQL.length()).replace(".sql", ""),
                Map.Entry::getValue));
  }

  private static Set<String> namedByRoutes() {
    return RouteFile.routes().stream()
        .flatMap(file -> file.flows().stream())
        .flatMap(flow -> flow.values("statement").stream())
        .map(statement -> statement.asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Java names a statement by a literal. */
  private static boolean namedByJava(String statement, String java) {
    return JAVA_NAME.matcher(java).results().anyMatch(name -> name.group(1).equals(statement));
  }

  @Test
  void everyFileIsOneStatementWithNamedParametersOnly() {
    assertThat(statements()).isNotEmpty();
    statements().forEach((name, sql) -> assertThat(problems(name, sql)).isEmpty());
  }

  @Test
  void everyStatementIsUsedAndEveryUsedOneIsThere() {
    Map<String, String> statements = statements();
    Set<String> byRoutes = namedByRoutes();
    assertThat(statements.keySet()).containsAll(byRoutes);
    String java = Sources.mainOutside("none");
    assertThat(statements.keySet())
        .allMatch(name -> byRoutes.contains(name) || namedByJava(name, java));
  }

  @Test
  void aStatementThatBreaksARuleIsRefused() {
    assertThat(problems("t/find-a", "-- Finds.\nselect 1; select 2")).hasSize(1);
    assertThat(problems("t/find-a", "-- Finds.\nselect ? from t")).hasSize(1);
    assertThat(problems("t/find-a", "-- Finds :?id.\nselect :?id")).hasSize(1);
    assertThat(problems("t/find-a", "-- Finds.\nselect ${body}")).hasSize(1);
    assertThat(problems("t/a", "-- Finds.\nselect 1")).hasSize(1);
    assertThat(problems("t/find-a", "select 1")).hasSize(1);
    assertThat(problems("t/find-a", "-- Finds.\nselect ';?' where id = :?id")).isEmpty();
  }

  @Test
  void aStatementThatNobodyNamesIsFound() {
    String java = "read(\"t/find-b\"); load(\"sql/t/find-c.sql\")";
    assertThat(namedByJava("t/find-a", java)).isFalse();
    assertThat(namedByJava("t/find-b", java)).isTrue();
    assertThat(namedByJava("t/find-c", java)).isTrue();
  }

  /** From what an event that is there already becomes, to the end of it. */
  private static String ofKnownEvent(String statement) {
    String sql = statements().get(statement);
    return sql.substring(
        sql.indexOf("on conflict (feed, event_id)"), sql.indexOf("  returning f.id"));
  }

  @Test
  void aKnownEventIsParkedAlikeInFeedsThatKeepAnOrderAndInOthers() {
    assertThat(ofKnownEvent("failed_event/park-ordered-event"))
        .isEqualTo(ofKnownEvent("failed_event/park-event"));
  }
}
