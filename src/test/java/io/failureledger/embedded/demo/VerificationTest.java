package io.failureledger.embedded.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.embedded.demo.DemoEvent.Published;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationTest {
  private static final String FEED = "shopify";
  private static final Effect OLD = new Effect(1, "old");
  private static final Effect NEW = new Effect(2, "new");

  private final List<Published> published = new ArrayList<>();
  private final Map<String, LedgerTables.Row> ledger = new HashMap<>();
  private final FoundEffects found = new FoundEffects();
  private Journal journal;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    journal = new Journal(directory.resolve("journal.csv"));
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void aDeliveredEventHasARunAndItsEffect() {
    published("e1", OLD, 1);
    succeeded("e1");
    found.add("k", OLD);
    Verdict verdict = verdict();
    assertThat(verdict.delivered()).isEqualTo(1);
    assertThat(verdict.holds()).isTrue();
  }

  @Test
  void aNewerVersionAccountsForAnOlderOne() {
    published("e1", OLD, 1);
    published("e2", NEW, 1);
    succeeded("e1");
    succeeded("e2");
    found.add("k", NEW);
    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void anEventWithoutRunAndRowIsLost() {
    published("e1", OLD, 1);
    published("e2", NEW, 1);
    succeeded("e2");
    found.add("k", NEW);
    assertThat(verdict().lost()).hasSize(1);
  }

  @Test
  void aRunWithoutEffectIsLost() {
    published("e1", OLD, 1);
    succeeded("e1");
    assertThat(verdict().lost()).hasSize(1);
  }

  @Test
  void anOpenOrFailedRowNeedsNoEffect() {
    for (String status : List.of("pending", "failed", "discarded")) {
      published(status, OLD, 1);
      ledger.put(FEED + " " + status, new LedgerTables.Row(status, null));
    }
    Verdict verdict = verdict();
    assertThat(verdict.pending() + verdict.failed() + verdict.discarded()).isEqualTo(3);
    assertThat(verdict.holds()).isTrue();
  }

  @Test
  void aResolvedRowNeedsItsEffect() {
    published("e1", OLD, 1);
    succeeded("e1");
    ledger.put(FEED + " e1", new LedgerTables.Row("resolved", null));
    assertThat(verdict().lost()).hasSize(1);
    found.add("k", OLD);
    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void anOlderVersionOverANewerOneIsDoubled() {
    published("e1", OLD, 1);
    published("e2", NEW, 1);
    succeeded("e1");
    succeeded("e2");
    found.add("k", OLD);
    assertThat(verdict().doubled()).hasSize(1);
  }

  @Test
  void twoRowsOfOneKeyAreDoubled() {
    published("e1", OLD, 1);
    succeeded("e1");
    found.add("k", OLD);
    found.add("k", OLD);
    assertThat(verdict().doubled()).hasSize(1);
  }

  @Test
  void anEffectAndARowThatNobodyPublishedAreDoubled() {
    found.add("k", new Effect(1, "mixed"));
    ledger.put(FEED + " e9", new LedgerTables.Row("resolved", null));
    assertThat(verdict().doubled()).hasSize(2);
  }

  @Test
  void onlyRunsBeyondThePublicationsAreRepeated() {
    published("e1", OLD, 2);
    found.add("k", OLD);
    succeeded("e1");
    succeeded("e1");
    assertThat(verdict().repeatedRuns()).isZero();
    succeeded("e1");
    assertThat(verdict().repeatedRuns()).isEqualTo(1);
  }

  private void published(String id, Effect effect, int times) {
    published.add(new Published(FEED, id, "k", effect, times));
  }

  private void succeeded(String id) {
    journal.record(FEED, id, null);
  }

  private Verdict verdict() {
    return new Verification(published, ledger, found, journal).verdict(0);
  }
}
