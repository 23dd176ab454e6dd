package io.failureledger.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a person may do with the shops whose events come. */
@Command(
    name = "shop",
    description = "Says whose shop is whose.",
    subcommands = {
      ShopConnectCommand.Connect.class,
      ShopConnectCommand.Disconnect.class,
      ShopListCommand.class
    })
public final class ShopCommand implements Runnable {
  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command given: shop connect, shop disconnect or shop list");
  }
}
