package io.failureledger.conventions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Decisions are pure, and a name says what a class is. */
class ArchitectureTest {
  private static final JavaClasses PRODUCT =
      new ClassFileImporter().importPath(Path.of("target/classes"));
  private static final JavaClasses BAD =
      new ClassFileImporter().importClasses(SettingsManager.class, StringUtils.class);

  private static final String[] EFFECTS = {
    "org.apache.camel..", "java.sql..", "javax.sql..", "org.apache.kafka..", "org.neo4j.."
  };

  /** Said by package. The one class of settings that hands them to Camel is the exception. */
  private static final String PURE =
      "io\\.failureledger\\.(event|policy|settings(?!\\.CamelProperties))\\..*";

  private static ArchRule pure(String names) {
    return noClasses()
        .that()
        .haveNameMatching(names)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(EFFECTS);
  }

  private static final ArchRule NAMES =
      noClasses()
          .should()
          .haveNameMatching(".*(Manager|Helper|Util|Utils|Impl)(\\$.*)?")
          .because("such a name says nothing");

  private static final ArchRule NO_CIRCLES =
      slices().matching("io.failureledger.(**)").should().beFreeOfCycles();

  @Test
  void decisionsDependOnNeitherCamelNorADatabaseNorABroker() {
    pure(PURE).check(PRODUCT);
    assertThat(PRODUCT.stream().filter(type -> type.getName().matches(PURE)))
        .hasSizeGreaterThan(15);
  }

  @Test
  void nothingIsCalledManagerHelperUtilOrImpl() {
    NAMES.check(PRODUCT);
  }

  @Test
  void arrowsBetweenPackagesNeverFormACircle() {
    NO_CIRCLES.check(PRODUCT);
  }

  @Test
  void everyPackageSaysWhatLivesThere() {
    for (JavaPackage each : PRODUCT.getPackage("io.failureledger").getSubpackagesInTree()) {
      if (!each.getClasses().isEmpty()) {
        Path said = Path.of("src/main/java", each.getName().replace('.', '/'), "package-info.java");
        assertThat(said).content().as(each.getName()).startsWith("/**");
      }
    }
  }

  @Test
  void targetsKnowNothingOfTheLedgersEngine() {
    noClasses()
        .that()
        .resideInAPackage("io.failureledger.targets..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.failureledger.ingest..",
            "io.failureledger.replay..",
            "io.failureledger.breaker..",
            "io.failureledger.order..",
            "io.failureledger.deadletter..",
            "io.failureledger.backfill..")
        .check(PRODUCT);
  }

  @Test
  void aDecisionThatUsesJdbcIsRefused() {
    assertThat(pure(".*SettingsManager").evaluate(BAD).hasViolation()).isTrue();
    assertThat(pure(".*StringUtils").evaluate(BAD).hasViolation()).isFalse();
  }

  @Test
  void aNameThatSaysNothingIsRefused() {
    assertThat(NAMES.evaluate(BAD).getFailureReport().getDetails()).hasSize(2);
  }

  /** Only here to be refused. */
  static final class SettingsManager {
    java.sql.Connection connection;
  }

  /** Only here to be refused. */
  static final class StringUtils {}
}
