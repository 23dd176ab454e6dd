package io.failureledger.conventions;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
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

  /** By their names, since most are visible in their packages only. */
  private static final String PURE =
      "io\\.failureledger\\.((envelope|policy)\\..*"
          + "|recovery\\.BackfillBatch.*|replay\\.(Outcome|Claim|SettleParameters).*"
          + "|ledger\\.(Failure|ParkEvent|TargetName)"
          + "|breaker\\.(BreakerKey|BreakerState|BreakerSettings|KnownBreakers|FailureShares?|FeedPause).*"
          + "|settings\\.(?!CamelProperties).*"
          + "|target\\.(Receipt|SourceTime|JsonBody).*(?<!Reader|Graph))";

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

  private static final ArchRule LAYERS =
      noClasses()
          .that(
              resideInAPackage("io.failureledger.(envelope|policy|settings)..")
                  .or(resideInAPackage("io.failureledger.ledger..")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.failureledger.park..",
              "io.failureledger.replay..",
              "io.failureledger.recovery..",
              "io.failureledger.cli..");

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
  void whatEventsAreKnowsNothingOfWhatIsDoneWithThem() {
    LAYERS.check(PRODUCT);
  }

  @Test
  void targetsKnowNothingOfTheLedgersRoutes() {
    classes()
        .that()
        .resideInAPackage("io.failureledger.target..")
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage("io.failureledger.target..")
                .or(resideInAPackage("io.failureledger.envelope.."))
                .or(resideInAPackage("io.failureledger.fault.."))
                .or(resideInAPackage("io.failureledger.feed.."))
                .or(resideInAPackage("io.failureledger.policy.."))
                .or(resideInAPackage("io.failureledger.settings.."))
                .or(resideInAPackage("java.."))
                .or(resideInAPackage("javax.."))
                .or(resideInAPackage("com.."))
                .or(resideInAPackage("org..")))
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
