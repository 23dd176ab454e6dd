package io.failureledger.cli;

import io.failureledger.TargetParts;
import io.failureledger.erase.Erasure;
import io.failureledger.erase.Erasures;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.LedgerPool;
import io.failureledger.settings.Settings;
import io.failureledger.targets.shop.databases.ShopTargets;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Erases a shop or a customer, in all targets and in the ledger. It is asked for durably first.
 * Then this command makes one sweep, and running instances make the last. A repeat sweeps again.
 */
@Command(
    name = "erase",
    description = {
      "Erases what the targets and the ledger hold of a shop, or of one customer of it.",
      "Example: erase --shop acme.myshopify.com --customer 207119551",
      "The last sweep is made by a running instance, when no event of now can be in a handler any more."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:asked for and swept; what is left is swept by the instances",
      "1:asked for, but a target was not reached; the instances try again each minute",
      "2:bad usage or settings",
      "5:the ledger did not answer"
    })
public final class EraseCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private Change change;
  @Mixin private Listing listing;
  @Spec private CommandSpec spec;

  @Option(
      names = "--shop",
      paramLabel = "DOMAIN",
      required = true,
      converter = ShopDomain.Converter.class,
      description = "For example acme.myshopify.com.")
  private ShopDomain shop;

  private String customer;

  @Option(
      names = "--order",
      paramLabel = "ID",
      description = {
        "An order whose personal fields are emptied; may be given again and again.",
        "Without it: all orders of the customer. Orders stay, their personal fields go."
      })
  private List<String> orders;

  @Option(
      names = "--customer",
      paramLabel = "ID",
      description = "The customer's id at Shopify. Without it, the whole shop is erased.")
  void setCustomer(String id) {
    if (!id.matches("[0-9]{1,19}")) {
      throw new ParameterException(
          spec.commandLine(), "--customer=" + id + " is not allowed; it must be a number");
    }
    customer = id;
  }

  @Override
  public Integer call() throws Exception {
    if (orders != null && customer == null) {
      throw new ParameterException(
          spec.commandLine(), "--order is allowed only with --customer; a shop is erased whole");
    }
    Settings settings = options.settings(LogTarget.STDERR);
    LedgerStart.requireMigrated(settings);
    try (LedgerPool pool = LedgerDataSource.create(settings);
        ShopTargets targets = new ShopTargets(pool, TargetParts.limits(settings))) {
      Erasures erasures = TargetParts.erasures(settings, pool, targets);
      Erasures.Requested asked =
          erasures.request(
              new Erasure(shop.text(), customer, orders, null), change.by(), change.reason());
      Erasures.Receipt receipt = erasures.sweep(asked);
      print(asked, receipt);
      return receipt.trouble() == null ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  private void print(Erasures.Requested asked, Erasures.Receipt receipt) {
    PrintWriter out = spec.commandLine().getOut();
    if (listing.json()) {
      Listing.object(out, receipt);
    } else {
      out.println(receipt.words(asked));
    }
    out.flush();
  }
}
