package io.failureledger.replay;

import io.failureledger.ledger.SqlFile;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code renew-leases} that YAML cannot say. Renewed are the leases of claims that
 * wait for a handler thread, before too little of them is left; never that of an event which a
 * handler has: it was begun with enough of its lease for the handler's whole time-out. A claim that
 * was taken away meanwhile is dropped before it runs, and so are all that wait where too many
 * handlers do not end. Nothing is renewed by a process that died or stands still, so its rows are
 * soon another's.
 */
public final class RenewSteps {
  private static final String RENEWED = "renewed";
  private static final Logger LOG = LoggerFactory.getLogger(RenewSteps.class);

  private final ReplaySettings settings;
  private final ReplayWindows windows;

  /**
   * @param settle has the claims
   */
  public RenewSteps(ReplaySettings settings, SettleSteps settle) {
    this.settings = settings;
    this.windows = settle.windows();
  }

  /** Finds the claims to renew and leaves their number as the body. */
  public void find(Exchange exchange) {
    windows.stuck().forEach(RenewSteps::leaveToOthers);
    Duration patience = settings.patience();
    List<Replay> old =
        windows.all().stream()
            .flatMap(window -> window.waiting().stream())
            .filter(replay -> replay.waits() && replay.leasedFor().compareTo(patience) > 0)
            .toList();
    exchange.setProperty(RENEWED, new Renewal(old, System.nanoTime()));
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("ids", old.stream().mapToLong(replay -> replay.claim().id()).toArray());
    parameters.put("tokens", old.stream().mapToLong(replay -> replay.claim().token()).toArray());
    parameters.put("lease", settings.leaseSeconds());
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
    exchange.getMessage().setBody(old.size());
  }

  private static void leaveToOthers(String feed, ReplayWindow window) {
    long dropped = window.waiting().stream().filter(Replay::drop).count();
    if (dropped > 0) {
      LOG.error(
          "{}: {} events are left to other instances, because too many of its handlers do not end here; restart this one",
          feed,
          dropped);
    }
  }

  /** What the ledger renewed counts from when it was asked; what it did not is dropped. */
  public void confirm(Exchange exchange) {
    Renewal renewal = exchange.getProperty(RENEWED, Renewal.class);
    List<?> rows = exchange.getMessage().getBody(List.class);
    Set<Object> renewed =
        rows.stream().map(row -> ((Map<?, ?>) row).get("id")).collect(Collectors.toSet());
    for (Replay replay : renewal.replays()) {
      if (renewed.contains(replay.claim().id())) {
        replay.renewed(renewal.nanos());
      } else if (replay.drop()) {
        LOG.warn(
            "{}: row {} was taken away while it waited for a handler; it is not run here",
            replay.feed().name(),
            replay.claim().id());
      }
    }
  }

  private record Renewal(List<Replay> replays, long nanos) {}
}
