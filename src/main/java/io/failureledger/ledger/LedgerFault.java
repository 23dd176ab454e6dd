package io.failureledger.ledger;

import io.failureledger.fault.Fault;
import io.failureledger.settings.Masking;
import io.failureledger.settings.Settings;
import java.sql.SQLException;

/**
 * What an exception of the ledger's driver means for a start: wait and try again, or give up with a
 * sentence. Pure.
 */
final class LedgerFault {

  private LedgerFault() {}

  /** Whether the ledger may come back by itself. */
  static boolean unreachable(Throwable thrown) {
    return Fault.ledgerHealsByItself(thrown);
  }

  /** The sentence for the operator, naming the keys to look at. */
  static String sentence(Throwable thrown, Settings settings) {
    String state = state(thrown);
    String url = Masking.inUrls(settings.text("ledger.url"));
    String user = settings.text("ledger.username");
    if (state.equals("3D000")) {
      return "the ledger's database does not exist: ledger.url="
          + url
          + "; create it, or correct ledger.url.";
    }
    if (state.startsWith("28")) {
      return "the ledger refuses the login of ledger.username="
          + user
          + " at "
          + url
          + " ("
          + message(thrown)
          + "); correct ledger.username and ledger.password.";
    }
    if (state.equals("42501")) {
      return "ledger.username="
          + user
          + " lacks a privilege at "
          + url
          + " ("
          + message(thrown)
          + "); grant it.";
    }
    if (unreachable(thrown)) {
      return "the ledger cannot be reached at " + url + " (" + message(thrown) + ").";
    }
    return "the ledger at "
        + url
        + " cannot be used: "
        + message(thrown)
        + (state.isEmpty() ? "" : " [" + state + "]")
        + ".";
  }

  /** The innermost SQLSTATE of the cause chain, or an empty text. */
  static String state(Throwable thrown) {
    String state = "";
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 20; t = t.getCause(), depth++) {
      if (t instanceof SQLException sql && sql.getSQLState() != null) {
        state = sql.getSQLState();
      }
    }
    return state;
  }

  /** The innermost SQL message's first line, without a trailing full stop. */
  static String message(Throwable thrown) {
    Throwable said = thrown;
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 20; t = t.getCause(), depth++) {
      said = t instanceof SQLException ? t : said;
    }
    String first =
        String.valueOf(said.getMessage()).lines().findFirst().orElse("no reason given").strip();
    return Masking.inUrls(first.endsWith(".") ? first.substring(0, first.length() - 1) : first);
  }
}
