package io.failureledger.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.TargetParts;
import io.failureledger.handler.MissingTargetException;
import io.failureledger.ledger.JdbcLedger;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.LedgerPool;
import io.failureledger.operate.TargetDatabases;
import io.failureledger.settings.Settings;
import io.failureledger.targets.shop.ShopPlan;
import io.failureledger.targets.shop.ShopTables;
import io.failureledger.targets.shop.databases.ShopTargets;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what the first events would change at a target. Changes nothing, at a repeat as well. */
@Command(
    name = "plan",
    description = {
      "Shows table by table what would be created or added at a shop's database, and what is incompatible.",
      "It changes nothing."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing is in the way; tables and columns may be created by the first event",
      "1:something is incompatible, or the database could not be looked at",
      "2:bad usage or settings; what is allowed is on stderr",
      "3:the shop or organization is unknown, or a record of it is missing"
    })
final class ShopPlanCommand implements Callable<Integer> {

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Whose whose;

  @Mixin private Listing listing;

  /** One of the two. */
  static final class Whose {
    @Option(names = "--shop", paramLabel = "DOMAIN", description = "The target of this shop.")
    private String shop;

    @Option(
        names = "--organization",
        paramLabel = "ID",
        description = "The target of this organization's shops.")
    private String organization;
  }

  @Override
  public Integer call() throws Exception {
    Settings settings = options.settings(LogTarget.STDERR);
    ShopTables tables = ShopTables.read(options.home());
    LedgerStart.requireMigrated(settings);
    try (LedgerPool ledger = LedgerDataSource.create(settings);
        ShopTargets targets = new ShopTargets(ledger, TargetParts.limits(settings))) {
      ShopPlan plan = new ShopPlan(tables, targets);
      ShopPlan.Plan found =
          whose.shop == null
              ? plan.of(new TargetDatabases(new JdbcLedger(ledger)).get(whose.organization))
              : plan.ofShop(whose.shop.toLowerCase(Locale.ROOT));
      print(found);
      return found.isIncompatible() ? 1 : 0;
    } catch (MissingTargetException unknown) {
      spec.commandLine().getErr().println(unknown.getMessage());
      return ExitCodes.NOT_FOUND;
    } catch (SQLException e) {
      throw new CommandFailedException("the database could not be looked at: " + e.getMessage(), e);
    }
  }

  private void print(ShopPlan.Plan plan) throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    if (!listing.json()) {
      out.println(plan.target());
    }
    for (ShopPlan.Table table : plan.tables()) {
      out.println(
          listing.json() ? new ObjectMapper().writeValueAsString(object(table)) : line(table));
    }
    out.flush();
  }

  private static String line(ShopPlan.Table table) {
    StringBuilder line = new StringBuilder(table.name()).append(": ");
    line.append(
        switch (table.state()) {
          case AS_DESCRIBED -> "as described";
          case ABSENT -> "would be created";
          case LACKS_COLUMNS -> "columns would be added: " + String.join(", ", table.added());
          case INCOMPATIBLE -> "incompatible";
        });
    if (!table.madeThere().isEmpty()) {
      line.append("; made by the target: ").append(String.join(", ", table.madeThere()));
    }
    table.incompatible().forEach(sentence -> line.append("\n  ").append(sentence));
    return line.toString();
  }

  private static ObjectNode object(ShopPlan.Table table) {
    ObjectNode object = new ObjectMapper().createObjectNode();
    object.put("table", table.name());
    object.put("state", table.state().name().toLowerCase(Locale.ROOT));
    table.added().forEach(object.putArray("added")::add);
    table.incompatible().forEach(object.putArray("incompatible")::add);
    table.madeThere().forEach(object.putArray("made_by_target")::add);
    return object;
  }
}
