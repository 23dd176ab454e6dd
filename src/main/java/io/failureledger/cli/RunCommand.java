package io.failureledger.cli;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.settings.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.camel.main.Main;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Runs the bundle until it is told to stop. Waits for the ledger as long as it takes; what cannot
 * heal by waiting ends the start with a sentence, before anything is connected to. SIGTERM finishes
 * the events in flight within shutdown.timeout; after a crash every event is either in the ledger
 * or still at its broker.
 */
@Command(name = "run", description = "Runs the bundle until it is told to stop.")
public final class RunCommand implements Callable<Integer> {

  @Mixin private CommonOptions options;

  @Override
  public Integer call() throws Exception {
    Settings settings = options.settings(LogTarget.STDOUT);
    // made here and not in a static field: logback reads the settings when the first logger is made
    Logger log = LoggerFactory.getLogger(RunCommand.class);
    log.info("{}", settings.effective());
    settings.warnings().forEach(log::warn);
    Bundle.check(options.home(), settings);
    if (settings.flag("ledger.migrate")) {
      List<String> applied = LedgerStart.migrate(settings);
      applied.forEach(version -> log.info("Applied migration {}.", version));
    } else {
      LedgerStart.awaitMigrated(settings);
    }
    Main main = Bundle.create(options.home(), settings, Mode.RUN);
    try {
      main.run();
      return main.getExitCode();
    } catch (Exception e) {
      main.stop();
      throw e;
    }
  }
}
