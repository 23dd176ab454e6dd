package io.failureledger.cli;

import io.failureledger.targets.shop.ShopTables;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What concerns the feed shopify: whose shop is whose, its tables, and what a database lacks. */
@Command(
    name = "shop",
    description =
        "Says whose shop is whose, how resources land in tables, and what a database lacks.",
    subcommands = {
      ShopConnectCommand.Connect.class,
      ShopConnectCommand.Disconnect.class,
      ShopListCommand.class,
      ShopCommand.Sql.class,
      ShopPlanCommand.class
    })
public final class ShopCommand implements Runnable {
  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command given: shop connect, shop disconnect, shop list, shop sql or shop plan");
  }

  /** Prints the statements that are made of a table's description. Connects to nothing. */
  @Command(
      name = "sql",
      description = {
        "Prints the statements of a table: create, upsert, tombstone, and those of its children.",
        "They are made of routes/feeds/shopify/<table>.table.yaml. Nothing is connected to."
      },
      exitCodeListHeading = "Exit codes:%n",
      exitCodeList = {
        "0:ok",
        "2:bad usage, or the description of a table is wrong",
        "3:no table has this name; the known ones are on stderr"
      })
  static final class Sql implements Callable<Integer> {
    @Mixin private CommonOptions options;
    @Spec private CommandSpec spec;

    @Parameters(
        index = "0",
        paramLabel = "TABLE",
        description = "The table, or one of its children.")
    private String table;

    @Override
    public Integer call() {
      options.settings(LogTarget.STDERR);
      ShopTables tables = ShopTables.read(options.home());
      Optional<String> sql = tables.sql(table);
      if (sql.isEmpty()) {
        spec.commandLine()
            .getErr()
            .println(
                "no table is called "
                    + table
                    + "; known are "
                    + String.join(", ", tables.names())
                    + ".");
        return ExitCodes.NOT_FOUND;
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(sql.get());
      out.flush();
      return 0;
    }
  }
}
