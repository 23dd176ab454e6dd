package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.failureledger.ledger.SqlFile;
import io.failureledger.ledger.Statement;
import io.failureledger.ledger.ValuesOf;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A statement that a route runs takes its values from a record that was made for it. */
class StatementValuesTest {
  private static final Pattern NAME = Pattern.compile(":\\?([a-z_]+)");

  /** By the statement whose values they hold. */
  private static final Map<String, Class<?>> RECORDS = records();

  private static Map<String, Class<?>> records() {
    Map<String, Class<?>> records = new HashMap<>();
    for (JavaClass found : new ClassFileImporter().importPath(Path.of("target/classes"))) {
      if (found.isAnnotatedWith(ValuesOf.class)) {
        Class<?> record = found.reflect();
        for (String statement : record.getAnnotation(ValuesOf.class).value()) {
          assertThat(records.put(statement, record)).as(statement).isNull();
        }
      }
    }
    return records;
  }

  /** What is wrong with a statement that a route names. */
  private static List<String> problems(String statement, Class<?> record) {
    if (record == null || !record.isRecord()) {
      return List.of(statement + " has no record that is annotated with its name");
    }
    List<String> problems = new ArrayList<>();
    Set<String> held = held(record);
    for (String name : taken(statement)) {
      if (!held.contains(name)) {
        problems.add(statement + " takes " + name + ", which " + record.getSimpleName() + " lacks");
      }
    }
    return problems;
  }

  private static Set<String> taken(String statement) {
    return NAME.matcher(SqlFile.read(statement))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> held(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> namedByRoutes() {
    return RouteFile.routes().stream()
        .flatMap(file -> file.flows().stream())
        .flatMap(flow -> flow.values("statement").stream())
        .map(statement -> statement.asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachStatementThatARouteNamesHasARecordThatFitsItsNames() {
    assertThat(namedByRoutes())
        .isNotEmpty()
        .flatExtracting(statement -> problems(statement, RECORDS.get(statement)))
        .isEmpty();
  }

  @Test
  void eachComponentOfSuchARecordIsTakenByAStatement() {
    for (Class<?> record : Set.copyOf(RECORDS.values())) {
      Set<String> taken = new TreeSet<>();
      for (String statement : record.getAnnotation(ValuesOf.class).value()) {
        taken.addAll(taken(statement));
      }
      assertThat(held(record)).as(record.getName()).isEqualTo(taken);
    }
  }

  @Test
  void aRecordHasItsValuesUnderTheNamesThatTheTestReads() {
    assertThat(Statement.values(new Sample(3, "one")).keySet()).isEqualTo(held(Sample.class));
  }

  @Test
  void aRecordThatLacksANameIsRefused() {
    assertThat(problems("backfill_user/claim-users", Sample.class))
        .containsExactly(
            "backfill_user/claim-users takes lease, which Sample lacks",
            "backfill_user/claim-users takes limit, which Sample lacks");
    assertThat(problems("backfill_user/claim-users", null)).hasSize(1);
  }

  /** Only here to be refused. */
  record Sample(int leaseToken, String owner) {}
}
