package io.failureledger.scenario;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.spi.Registry;

/**
 * A bundle as a process of its own, to be killed: prints a line for each event its handler is given
 * and for each place where it stays for ever. It ends when its standard input does.
 */
public final class BundleProcess {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  /** The test has sent a line. */
  private static final CountDownLatch TOLD = new CountDownLatch(1);

  private final int hangAt;
  private final String order;
  private int handled;

  private BundleProcess(int hangAt, String order) {
    this.hangAt = hangAt;
    this.order = order;
  }

  /**
   * @param arguments home, settings file, the event at which the handler stays for ever (0: none),
   *     {@code fail}, {@code succeed}, {@code effect} ({@link EffectTable}), {@code linger} (at
   *     work after the effect until its standard input has a line) or {@code campaign} ({@link
   *     CampaignHandler}), and {@code acknowledge} or {@code hang}: whether the acknowledge step is
   *     the bundle's or one that stays for ever
   */
  public static void main(String[] arguments) throws Exception {
    Thread watch = new Thread(BundleProcess::endWithInput, "watch-stdin");
    watch.setDaemon(true);
    watch.start();
    Properties settings = new Properties();
    try (InputStream file = Files.newInputStream(Path.of(arguments[1]))) {
      settings.load(file);
    }
    Path home = Path.of(arguments[0]);
    Main main = Bundle.create(home, Settings.load(home, settings), Mode.RUN);
    BundleProcess process = new BundleProcess(Integer.parseInt(arguments[2]), arguments[3]);
    main.bind("probe", process.handler());
    Processor batches = process::handleBatch;
    main.bind("probe-batch", batches);
    if (arguments[4].equals("hang")) {
      main.addMainListener(
          new MainListenerSupport() {
            @Override
            public void afterConfigure(BaseMainSupport configured) {
              Processor hang = exchange -> stay("acknowledge");
              Registry registry = configured.getCamelContext().getRegistry();
              registry.unbind("acknowledge");
              registry.bind("acknowledge", hang);
            }
          });
    }
    // At a SIGTERM; a kill runs no hook, nor does a halt.
    Runtime.getRuntime().addShutdownHook(new Thread(main::stop, "stop"));
    main.start();
    say("ready");
    NEVER.await();
  }

  private Processor handler() {
    if (!order.equals("campaign")) {
      return this::handle;
    }
    CampaignHandler handler =
        new CampaignHandler(
            Long.getLong("campaign.seed"),
            System.getProperty("campaign.process"),
            new CampaignTarget(System.getProperty("campaign.target")));
    return handler::on;
  }

  private synchronized boolean hangsNow() {
    handled++;
    return handled == hangAt;
  }

  private void handle(Exchange exchange) throws Exception {
    if (hangsNow()) {
      stay("handler");
    }
    if (order.equals("effect") || order.equals("linger")) {
      EffectTable.write(exchange);
    }
    say("handled " + exchange.getMessage().getHeader("event-id"));
    if (order.equals("linger")) {
      TOLD.await();
    }
    if (order.equals("fail")) {
      throw new IllegalStateException("told to fail");
    }
  }

  /** A batch counts as one event; {@code fail} fails each event alone. */
  private void handleBatch(Exchange exchange) throws Exception {
    if (hangsNow()) {
      stay("handler");
    }
    say("handled a batch of " + exchange.getMessage().getBody(List.class).size());
    if (order.equals("fail")) {
      throw new IllegalStateException("told to fail");
    }
  }

  private static void stay(String where) throws InterruptedException {
    say("stays in " + where);
    NEVER.await();
  }

  private static void say(String line) {
    System.out.println("bundle: " + line);
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        TOLD.countDown();
      }
    } catch (IOException e) {
      say("input failed: " + e);
    }
    Runtime.getRuntime().halt(0);
  }
}
