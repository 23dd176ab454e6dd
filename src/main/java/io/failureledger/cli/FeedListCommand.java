package io.failureledger.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.breaker.FeedControl;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Shows each feed: whether it runs, what holds it, and its rows; and feeds that have rows only.
 * Changes nothing.
 */
@Command(
    name = "list",
    description =
        "Shows each feed: running, paused or open, why, and its pending, due and failed rows.")
final class FeedListCommand implements Callable<Integer> {

  private static final String LINE = "%-20s %-7s %-12s %9s %9s %9s  %s";

  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Mixin private Listing listing;

  @Override
  public Integer call() throws Exception {
    List<FeedControl.Shown> feeds = FeedCommand.with(options, FeedControl::list);
    PrintWriter out = spec.commandLine().getOut();
    if (listing.json()) {
      for (FeedControl.Shown feed : feeds) {
        out.println(new ObjectMapper().writeValueAsString(object(feed)));
      }
    } else {
      out.println(LINE.formatted("FEED", "BROKER", "STATE", "PENDING", "DUE", "FAILED", "SOURCE"));
      for (FeedControl.Shown feed : feeds) {
        print(feed, out);
      }
    }
    out.flush();
    return 0;
  }

  private static void print(FeedControl.Shown feed, PrintWriter out) {
    out.println(
        LINE.formatted(
            feed.name(),
            Objects.requireNonNullElse(feed.broker(), "-"),
            feed.state(),
            feed.pending(),
            feed.due(),
            feed.failed(),
            Objects.requireNonNullElse(feed.source(), "-")));
    if (feed.why() != null) {
      out.println("  " + feed.why());
    }
    feed.waitingTargets().forEach(target -> out.println("  " + target));
  }

  private static ObjectNode object(FeedControl.Shown feed) {
    ObjectNode object = new ObjectMapper().createObjectNode();
    object.put("feed", feed.name());
    object.put("broker", feed.broker());
    object.put("source", feed.source());
    object.put("state", feed.state());
    object.put("why", feed.why());
    feed.waitingTargets().forEach(object.putArray("waiting_targets")::add);
    object.put("pending", feed.pending());
    object.put("due", feed.due());
    object.put("failed", feed.failed());
    return object;
  }
}
