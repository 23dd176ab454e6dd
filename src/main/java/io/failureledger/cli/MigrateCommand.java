package io.failureledger.cli;

import io.failureledger.settings.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Creates and upgrades the ledger's tables. A repeat finds nothing to do; a crash leaves whole
 * versions only.
 */
@Command(
    name = "migrate",
    description = "Creates and upgrades the ledger's tables, prints what it applied, and ends.")
public final class MigrateCommand implements Callable<Integer> {

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = options.settings(LogTarget.STDERR);
    List<String> applied = LedgerStart.migrate(settings);
    PrintWriter out = spec.commandLine().getOut();
    applied.forEach(version -> out.println("applied " + version));
    if (applied.isEmpty()) {
      out.println("nothing to apply, the ledger is up to date");
    }
    out.flush();
    return 0;
  }
}
