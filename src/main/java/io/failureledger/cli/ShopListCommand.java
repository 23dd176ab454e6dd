package io.failureledger.cli;

import io.failureledger.operate.ShopConnections;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows whose shop is whose, and which shops' events are parked for it. Changes nothing. */
@Command(
    name = "list",
    description = "Shows each shop, its organization, and what its events find there.")
final class ShopListCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private Listing listing;
  @Spec private CommandSpec spec;

  @Option(names = "--all", description = "With the connections that are closed.")
  private boolean all;

  @Override
  public Integer call() throws Exception {
    List<ShopConnections.Shown> shops =
        LedgerStart.with(options, ledger -> new ShopConnections(ledger).list(all));
    PrintWriter out = spec.commandLine().getOut();
    if (listing.json()) {
      shops.forEach(shop -> Listing.object(out, shop));
    } else {
      Listing.table(
          out,
          List.of("SHOP", "ORGANIZATION", "STATE"),
          shops.stream()
              .map(shop -> List.of(shop.shopDomain(), shop.organizationId(), shop.state()))
              .toList());
    }
    out.flush();
    return ExitCodes.OK;
  }
}
