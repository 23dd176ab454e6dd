package io.failureledger.cli;

import io.failureledger.TargetParts;
import io.failureledger.operate.TargetDatabases;
import io.failureledger.settings.Settings;
import io.failureledger.targets.shop.databases.TargetDatabase;
import io.failureledger.targets.shop.databases.TargetProbe;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Signs in to a target as an instance does, and says what it found. Changes nothing. It reads the
 * credential in the place where the command runs, which may be another machine than an instance's.
 */
@Command(
    name = "test",
    description = "Signs in to the database of an organization, and says what it found there.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:events can be written there",
      "1:they cannot; why is on stdout",
      "2:bad usage or settings",
      "3:the organization has no target or no credential",
      "5:the ledger or the target did not answer"
    })
final class TargetTestCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private Listing listing;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ORGANIZATION", description = "Whose database to test.")
  private String organization;

  @Override
  public Integer call() throws Exception {
    TargetDatabase target;
    try {
      target = LedgerStart.with(options, ledger -> new TargetDatabases(ledger).get(organization));
    } catch (IOException unreadable) {
      throw new CommandFailedException(
          "the password of " + organization + " cannot be read: " + unreadable.getMessage() + ".",
          unreadable);
    }
    Settings settings = options.settings(LogTarget.STDERR);
    TargetProbe.Found found = TargetProbe.of(target, TargetParts.limits(settings));
    PrintWriter out = spec.commandLine().getOut();
    if (listing.json()) {
      Listing.object(out, found);
    } else {
      out.println(found.words());
    }
    out.flush();
    return switch (found.state()) {
      case USABLE -> ExitCodes.OK;
      case UNREACHABLE -> ExitCodes.UNREACHABLE;
      case REFUSED, UNUSABLE -> ExitCodes.FAILED;
    };
  }
}
