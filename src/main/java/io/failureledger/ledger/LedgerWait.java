package io.failureledger.ledger;

import io.failureledger.settings.Masking;
import io.failureledger.settings.Settings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits at a start until the ledger answers. An unreachable ledger is asked again each second, for
 * ever; one sentence is logged at first, and again each minute. Nothing is written, so a crash
 * while waiting leaves no trace.
 */
public final class LedgerWait {

  /** Asks the ledger once. */
  interface Probe {
    void ask() throws SQLException;
  }

  /** Passes time. */
  interface Pause {
    void pause(Duration duration) throws InterruptedException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(LedgerWait.class);

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int SAID_EACH = 60;

  private final Settings settings;
  private final Probe probe;
  private final Pause pause;

  /** Waits for the ledger of these settings. */
  public LedgerWait(Settings settings) {
    this(settings, () -> ask(settings), duration -> Thread.sleep(duration.toMillis()));
  }

  LedgerWait(Settings settings, Probe probe, Pause pause) {
    this.settings = settings;
    this.probe = probe;
    this.pause = pause;
  }

  /**
   * Returns when the ledger answered.
   *
   * @throws LedgerRefusedException when waiting will not help
   * @throws InterruptedException when the process is asked to stop meanwhile
   */
  public void untilReachable() throws InterruptedException {
    for (int attempt = 0; ; attempt++) {
      try {
        probe.ask();
        return;
      } catch (SQLException e) {
        String sentence = LedgerFault.sentence(e, settings);
        if (!LedgerFault.unreachable(e)) {
          throw new LedgerRefusedException(sentence, e);
        }
        if (attempt % SAID_EACH == 0) {
          LOG.warn("{} Trying again each second.", sentence);
        }
        pause.pause(PERIOD);
      }
    }
  }

  /**
   * Asks the ledger once.
   *
   * @throws LedgerAwayException when it may answer later
   * @throws LedgerRefusedException when waiting will not help
   */
  public void once() {
    try {
      probe.ask();
    } catch (SQLException e) {
      String sentence = LedgerFault.sentence(e, settings);
      throw LedgerFault.unreachable(e)
          ? new LedgerAwayException(sentence, e)
          : new LedgerRefusedException(sentence, e);
    }
  }

  private static void ask(Settings settings) throws SQLException {
    try (Connection connection = LedgerDataSource.connect(settings);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show server_encoding")) {
      row.next();
      String encoding = row.getString(1);
      if (!encoding.equals("UTF8")) {
        throw new LedgerRefusedException(
            "the ledger's database has the encoding "
                + encoding
                + ", which cannot hold the text of every event: ledger.url="
                + Masking.inUrls(settings.text("ledger.url"))
                + "; use one with the encoding UTF8.",
            null);
      }
    }
  }
}
