package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.failureledger.scenario.CampaignPlan.Fault;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries a plan out: each fault at its time, and its end at its own. */
final class CampaignFaults implements AutoCloseable {
  /** Longest time after a fault's end in which what it broke mends. */
  private static final long MENDS_MILLIS = 1_500;

  private final Site site;
  private final LedgerView ledger;
  private final CampaignFleet fleet;
  private final CampaignOperator operator;
  private final CampaignJournal journal;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(8);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger left = new AtomicInteger();
  private final AtomicBoolean outage = new AtomicBoolean();
  private final AtomicBoolean command = new AtomicBoolean();

  CampaignFaults(
      Site site,
      LedgerView ledger,
      CampaignFleet fleet,
      CampaignOperator operator,
      CampaignJournal journal) {
    this.site = site;
    this.ledger = ledger;
    this.fleet = fleet;
    this.operator = operator;
    this.journal = journal;
  }

  void begin(CampaignPlan plan) {
    plan.faults().forEach(fault -> at(fault.at().toMillis(), () -> befall(fault)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // failures are kept
  private void at(long millis, Runnable what) {
    left.incrementAndGet();
    threads.schedule(
        () -> {
          try {
            what.run();
          } catch (Throwable e) {
            failures.add(e);
          } finally {
            left.decrementAndGet();
          }
        },
        millis,
        MILLISECONDS);
  }

  private void befall(Fault fault) {
    long length = fault.length().toMillis();
    int pick = fault.pick();
    switch (fault.kind()) {
      case KILL -> {
        fleet.killOne(pick);
        at(length, fleet::fork);
      }
      case FREEZE -> {
        String name = fleet.freezeOne(pick);
        at(length, () -> fleet.thaw(name));
      }
      case LEAVE -> {
        fleet.leaveOne(pick);
        at(length, fleet::fork);
      }
      case RESTART_HERE -> fleet.restartHere();
      case TERMINATE -> terminate(pick);
      case OUTAGE -> outage(Outage.values()[pick % Outage.values().length], length);
      case TARGET_AWAY -> flag(CampaignTarget.away(CampaignHandler.ONLY_TARGET), length);
      case SHOP_AWAY -> flag(CampaignTarget.away("shop:" + CampaignTraffic.shop(pick)), length);
      case BUG -> flag(CampaignTarget.bug(feed(pick)), length);
      case PAUSE -> pause(feed(pick), length);
      case ALL_DUE -> journal.say("made due: " + operator.allDue());
      case DISCARD -> journal.say("discarded: " + operator.discard(pick));
      case REOPEN -> journal.say("reopened: " + operator.reopen("failed", "id % 2 = " + pick % 2));
      case REOPEN_DISCARDED ->
          journal.say(
              "reopened discarded: " + operator.reopen("discarded", "id % 2 = " + pick % 2));
      case RETRY -> command(() -> journal.say("retry: " + operator.retry()));
    }
  }

  private static String feed(int pick) {
    return pick % 2 == 0 ? CampaignTraffic.ORDERED : CampaignTraffic.SHOPS;
  }

  private void flag(String name, long length) {
    journal.say(name);
    ledger.run("insert into campaign_flag values ('" + name + "') on conflict do nothing");
    at(
        length,
        () -> {
          ledger.run("delete from campaign_flag where name = '" + name + "'");
          journal.say("no more: " + name);
        });
  }

  private void terminate(int pick) {
    Instant now = Instant.now();
    int ended =
        ledger
            .rows(
                "select pg_terminate_backend(pid) from pg_stat_activity where usename = ? order by md5(pid || ' ' || ?) limit ?",
                site.runner(),
                Integer.toString(pick),
                1 + pick % 5)
            .size();
    journal.trouble(CampaignJournal.ALL, "backends", now, Instant.now().plusMillis(MENDS_MILLIS));
    journal.say("terminated backends: " + ended);
  }

  private void outage(Outage what, long length) {
    if (outage.compareAndSet(false, true)) {
      Instant since = Instant.now();
      what.begin(site);
      // To be long enough to hold until its end is known.
      journal.trouble(CampaignJournal.ALL, what.name(), since, since.plusMillis(length));
      journal.say("ledger: " + what);
      at(
          length,
          () -> {
            what.end(site);
            journal.trouble(
                CampaignJournal.ALL, what.name(), since, Instant.now().plusMillis(MENDS_MILLIS));
            journal.say("ledger is back from " + what);
            outage.set(false);
          });
    }
  }

  private void pause(String feed, long length) {
    command(
        () -> {
          journal.say(operator.pause(feed));
          at(length, () -> untilDone(() -> journal.say(operator.resume(feed))));
        });
  }

  /** A command says that it failed while the ledger is away; a person tries again later. */
  private void command(Runnable what) {
    if (command.compareAndSet(false, true)) {
      try {
        what.run();
      } catch (RuntimeException e) {
        journal.say("a command failed: " + e);
      } finally {
        command.set(false);
      }
    }
  }

  private void untilDone(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      journal.say("a command failed and is tried again: " + e);
      at(500, () -> untilDone(what));
    }
  }

  /** Waits for the ends of all faults; what went wrong with the campaign itself comes back. */
  Queue<Throwable> end() {
    await().atMost(180, SECONDS).until(() -> left.get() == 0);
    return failures;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
