package io.failureledger.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Ends the process with the exit code of the command. */
@Command(
    name = "failure-ledger",
    description = "Carries events from Pub/Sub and Kafka to their targets and loses none of them.",
    subcommands = {
      RunCommand.class,
      CheckCommand.class,
      MigrateCommand.class,
      RetryCommand.class,
      FeedCommand.class,
      ShopCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = App.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:ok",
      "1:could not do it; the reason is on stderr",
      "2:bad usage, settings or routes; what is allowed is on stderr",
      "143:run was told to stop (SIGTERM) and stopped in order"
    })
public final class App implements Runnable {

  /** The version of the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = App.class.getPackage().getImplementationVersion();
      return new String[] {"failure-ledger " + (version == null ? "(not packaged)" : version)};
    }
  }

  @Spec private CommandSpec spec;

  /** Runs the command that the arguments name. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, ready to execute; tests call it too. */
  public static CommandLine commandLine() {
    return new CommandLine(new App())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(App::refuse)
        .setExecutionExceptionHandler(
            (thrown, command, parsed) ->
                Failures.report(thrown, command, CommonOptions.verbose(parsed)));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command given: run, check, migrate, retry, feed or shop");
  }

  private static int refuse(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    command
        .getErr()
        .println(e.getMessage() + "; see " + command.getCommandSpec().qualifiedName() + " --help");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
