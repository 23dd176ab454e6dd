package io.failureledger.cli;

import io.failureledger.operate.ShopConnections;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shop connect} and {@code shop disconnect}. A repeat changes nothing and says so. */
abstract class ShopConnectCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private Change change;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DOMAIN",
      converter = ShopDomain.Converter.class,
      description = "For example acme.myshopify.com.")
  private ShopDomain shop;

  abstract String change(ShopConnections shops, String domain, Change why) throws SQLException;

  @Override
  public Integer call() throws Exception {
    return LedgerStart.with(
        options,
        ledger -> {
          spec.commandLine()
              .getOut()
              .println(change(new ShopConnections(ledger), shop.text(), change));
          spec.commandLine().getOut().flush();
          return ExitCodes.OK;
        });
  }

  @Command(
      name = "connect",
      description = {
        "Says whose shop it is: from now on its events go to the target of that organization.",
        "Its events that are parked are replayed when they are due."
      })
  static final class Connect extends ShopConnectCommand {
    @Option(
        names = "--organization",
        paramLabel = "ID",
        required = true,
        description = "The organization that the shop belongs to.")
    private String organization;

    @Override
    String change(ShopConnections shops, String domain, Change why) throws SQLException {
      return shops.connect(domain, organization, why.by(), why.reason());
    }
  }

  @Command(
      name = "disconnect",
      description = "The shop leaves: from now on its events are parked, until it is connected.")
  static final class Disconnect extends ShopConnectCommand {
    @Option(
        names = "--organization",
        paramLabel = "ID",
        description = "From which one. Needed where the shop has several connections.")
    private String organization;

    @Override
    String change(ShopConnections shops, String domain, Change why) throws SQLException {
      return shops.disconnect(domain, organization, why.by(), why.reason());
    }
  }
}
