package io.failureledger.cli;

import io.failureledger.Bundle;
import io.failureledger.settings.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Looks at settings, routes and kamelets as a start does, and ends. Connects to nothing, listens
 * nowhere and changes nothing, so it may run beside a running bundle.
 */
@Command(
    name = "check",
    description = "Checks settings, routes and kamelets, connects to nothing, and ends.")
public final class CheckCommand implements Callable<Integer> {

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Settings settings = options.settings(LogTarget.STDERR);
    List<String> feeds = Bundle.check(options.home(), settings);
    PrintWriter out = spec.commandLine().getOut();
    settings.warnings().forEach(warning -> out.println("note: " + warning));
    out.println(sentence(feeds));
    out.flush();
    return 0;
  }

  private static String sentence(List<String> feeds) {
    return feeds.isEmpty()
        ? "All is well, but there is no feed below routes/."
        : "All is well; feeds: " + String.join(", ", feeds) + ".";
  }
}
