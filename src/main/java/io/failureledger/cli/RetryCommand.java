package io.failureledger.cli;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.replay.Retry;
import io.failureledger.replay.WhyNotReplayed;
import io.failureledger.settings.Settings;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.camel.main.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Replays due rows once, by hand. May run beside a running bundle: a row is claimed by one of the
 * two. A crash leaves the claimed rows to the next replay after their lease.
 */
@Command(
    name = "retry",
    description = {
      "Replays due pending rows once and prints Retried=<n> resolved=<n> failed=<n>:",
      "retried = resolved + failed; failed = replays that failed, tried again later or not.",
      "When nothing was replayed, stderr says why."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done; nothing may have been due",
      "1:could not do it; the reason is on stderr",
      "2:bad usage or settings; what is allowed is on stderr",
      "3:there is no row of this number",
      "5:the ledger did not answer"
    })
public final class RetryCommand implements Callable<Integer> {

  private static final int MOST = 10_000;
  private static final String WHY = "why-not-replayed";

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "The most rows to replay, 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--event-id",
      paramLabel = "ID",
      description =
          "Replay only the row with this id (the row's number, not the event's identity), when it is due or held.")
  private Long rowId;

  @Override
  public Integer call() throws Exception {
    check();
    Settings settings = options.settings(LogTarget.STDERR);
    Bundle.check(options.home(), settings);
    LedgerStart.requireMigrated(settings);
    Main main = Bundle.create(options.home(), settings, Mode.RETRY);
    try {
      main.start();
      Retry.Result result = retry(main).retry(limit, rowId);
      PrintWriter out = spec.commandLine().getOut();
      out.println(line(result));
      out.flush();
      return result.retried() > 0 ? 0 : explain(main.lookup(WHY, WhyNotReplayed.class));
    } finally {
      main.stop();
    }
  }

  /** A replay that did not happen says why; a row that is not there is the only wrong question. */
  private int explain(WhyNotReplayed why) throws SQLException {
    PrintWriter err = spec.commandLine().getErr();
    if (rowId == null) {
      err.println(why.ofAll());
      return 0;
    }
    Optional<String> said = why.ofRow(rowId);
    err.println(said.orElse("no row has the number " + rowId + "; see failed_event.id."));
    return said.isPresent() ? 0 : ExitCodes.NOT_FOUND;
  }

  /** The line that scripts read; its form is a contract. */
  static String line(Retry.Result result) {
    return "Retried="
        + result.retried()
        + " resolved="
        + result.resolved()
        + " failed="
        + result.failed();
  }

  private void check() {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--limit=" + limit + " is not allowed; it must be from 1 to 10000");
    }
    if (rowId != null && rowId < 1) {
      throw new ParameterException(
          spec.commandLine(), "--event-id=" + rowId + " is not allowed; it must be at least 1");
    }
  }

  private static Retry retry(Main main) {
    Retry retry = main.lookup("retry", Retry.class);
    if (retry == null) {
      throw new CommandFailedException(
          "this bundle has no replay: nothing is bound under the name retry.", null);
    }
    return retry;
  }
}
