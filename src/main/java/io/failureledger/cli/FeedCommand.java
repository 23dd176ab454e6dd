package io.failureledger.cli;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.breaker.FeedControl;
import io.failureledger.operate.NotFoundException;
import io.failureledger.settings.Settings;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.camel.main.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What a person may do to the feeds of all instances, running or not. It consumes nothing and
 * replays nothing. A repeat changes nothing and says so.
 */
@Command(
    name = "feed",
    description = "Pauses, resumes and lists feeds, for all instances.",
    subcommands = {FeedCommand.Pause.class, FeedCommand.Resume.class, FeedListCommand.class})
public final class FeedCommand implements Runnable {

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command given: feed pause, feed resume or feed list");
  }

  /** Stops a feed's ingest and its replays. */
  @Command(
      name = "pause",
      description = {
        "Stops a feed on all instances within about a second: it consumes nothing, and its rows are not replayed.",
        "It stays paused over restarts, until feed resume. The retry command replays its rows all the same."
      })
  static final class Pause extends OneFeed {
    @Override
    String change(FeedControl control, String feed, Change why) {
      return control.pause(feed, why.by(), why.reason());
    }
  }

  /** Lets a feed go on. */
  @Command(name = "resume", description = "Lets a paused feed go on, on all instances.")
  static final class Resume extends OneFeed {
    @Override
    String change(FeedControl control, String feed, Change why) {
      return control.resume(feed, why.by(), why.reason());
    }
  }

  /** One change to one feed, noted with who made it and why. */
  abstract static class OneFeed implements Callable<Integer> {
    @Mixin private CommonOptions options;
    @Mixin private Change why;
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The feed.")
    private String feed;

    abstract String change(FeedControl control, String name, Change why);

    @Override
    public Integer call() throws Exception {
      String said =
          FeedCommand.with(
              options,
              control -> {
                try {
                  return change(control, feed, why);
                } catch (IllegalArgumentException unknown) {
                  throw new NotFoundException(unknown.getMessage());
                }
              });
      spec.commandLine().getOut().println(said);
      spec.commandLine().getOut().flush();
      return 0;
    }
  }

  /** Runs the work on a bundle that consumes and replays nothing. */
  static <T> T with(CommonOptions options, Function<FeedControl, T> work) throws Exception {
    Settings settings = options.settings(LogTarget.STDERR);
    Bundle.check(options.home(), settings);
    LedgerStart.requireMigrated(settings);
    Main main = Bundle.create(options.home(), settings, Mode.RETRY);
    try {
      main.start();
      FeedControl control = main.lookup("feed-control", FeedControl.class);
      if (control == null) {
        throw new CommandFailedException(
            "this bundle has no feeds: nothing is bound under the name feed-control.", null);
      }
      return work.apply(control);
    } finally {
      main.stop();
    }
  }
}
