package io.failureledger.embedded.demo;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What goes wrong, and when: users whose graph writes fail, a shop that nobody knows for a while,
 * an outage of organization b's database. A run without end goes through them once a minute. (Cut
 * bodies come all the time, from the traffic.)
 */
final class Faults {
  private static final int CYCLE_SECONDS = 60;
  private static final long LONGEST_UNKNOWN_MILLIS = 8_000;
  private static final long LONGEST_OUTAGE_MILLIS = 6_000;

  private final Screen screen;
  private final Shops shops;
  private final ApplicationRecords records;
  private final OutageDatabase organizationB;
  private final ReceiptOwner owner;
  private final CompletableFuture<Void> broken;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private volatile String current = "";

  Faults(
      Screen screen,
      Shops shops,
      ApplicationRecords records,
      OutageDatabase organizationB,
      ReceiptOwner owner,
      CompletableFuture<Void> broken) {
    this.screen = screen;
    this.shops = shops;
    this.records = records;
    this.organizationB = organizationB;
    this.owner = owner;
    this.broken = broken;
  }

  /** The fault of this moment in a few words; empty when there is none. */
  String current() {
    return current;
  }

  void start(DemoOptions options) {
    if (options.endless()) {
      clock.execute(() -> planCycle(1));
    } else {
      plan(1, options.seconds() * 1_000L);
    }
  }

  private void planCycle(int cycle) {
    plan(cycle, CYCLE_SECONDS * 1_000L);
    clock.schedule(() -> planCycle(cycle + 1), CYCLE_SECONDS, TimeUnit.SECONDS);
  }

  private void plan(int cycle, long millis) {
    String shop = "elm-" + cycle + ".myshopify.com";
    at(0, () -> failUsers(cycle));
    at(millis / 10, () -> openShop(shop));
    at(millis / 10 + Math.min(LONGEST_UNKNOWN_MILLIS, millis / 5), () -> connect(shop));
    at(millis * 4 / 10, this::goDown);
    at(millis * 4 / 10 + Math.min(LONGEST_OUTAGE_MILLIS, millis / 4), this::comeBack);
  }

  private void failUsers(int cycle) {
    List<String> users =
        IntStream.rangeClosed(1, 3).mapToObj(i -> "failing-" + cycle + "-" + i).toList();
    owner.startFailing(users);
    screen.line(
        "  fault    The graph refuses every receipt of 3 users: their shop's name is taken.");
  }

  private void openShop(String shop) {
    shops.open(shop);
    say("shop unknown", "Events of " + shop + " come in, which nobody has connected: parked.");
  }

  private void connect(String shop) {
    records.connectShop(shop, Shops.ORGANIZATION_A);
    over("The shop " + shop + " is connected: its events are replayed.");
  }

  private void goDown() {
    say(
        "organization b's database is down",
        "Organization b's database goes down: its events are parked.");
    organizationB.goDown();
  }

  private void comeBack() {
    organizationB.comeBack();
    over("Organization b's database is back: its events are replayed.");
  }

  private void say(String fault, String sentence) {
    current = fault;
    screen.line("  fault    " + sentence);
  }

  private void over(String sentence) {
    current = "";
    screen.line("  cured    " + sentence);
  }

  private void at(long millis, Runnable fault) {
    clock.schedule(
        () -> {
          try {
            fault.run();
          } catch (RuntimeException e) {
            broken.completeExceptionally(e);
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  /** Plans nothing more; waits for what happens just now. */
  void stop() throws InterruptedException {
    clock.shutdownNow();
    clock.awaitTermination(60, TimeUnit.SECONDS);
  }
}
