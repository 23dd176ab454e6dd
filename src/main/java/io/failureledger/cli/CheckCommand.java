package io.failureledger.cli;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.feed.Feeds;
import io.failureledger.settings.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.camel.main.Main;
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
    Main main = Bundle.create(options.home(), settings, Mode.RUN);
    try {
      Bundle.check(main, settings);
      PrintWriter out = spec.commandLine().getOut();
      settings.warnings().forEach(warning -> out.println("note: " + warning));
      out.println(sentence(List.of(main.lookup("feeds", Feeds.class).names())));
      out.flush();
      return 0;
    } finally {
      main.stop();
    }
  }

  private static String sentence(List<String> feeds) {
    return feeds.isEmpty()
        ? "All is well, but there is no feed below routes/."
        : "All is well; feeds: " + String.join(", ", feeds) + ".";
  }
}
