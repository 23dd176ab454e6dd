package io.failureledger;

import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.LedgerGauges;
import io.failureledger.observe.ManagementPort;
import io.failureledger.settings.CamelProperties;
import io.failureledger.settings.Settings;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;

/**
 * Puts the parts together: settings, ledger, management port. Creating a bundle starts nothing and
 * opens no connection. A stop closes the ledger's pool.
 */
public final class Bundle {

  private Bundle() {}

  /** A Camel main that is ready to run or, in mode RETRY, to be started and stopped. */
  public static Main create(Path home, Settings settings, Mode mode) {
    Main main = new Main();
    CamelProperties.configure(main, settings);
    var ledger = LedgerDataSource.create(settings);
    main.addMainListener(
        new MainListenerSupport() {
          @Override
          public void beforeInitialize(BaseMainSupport starting) {
            // with its close method, so that the pool closes after the routes have stopped
            starting.getCamelContext().getRegistry().bind("ledger", ledger, null, "close");
          }
        });
    if (mode == Mode.RUN) {
      PrometheusMeterRegistry metrics = ManagementPort.configure(main, settings);
      ManagementPort.watch(main, metrics, ledger);
      main.bind("counters", new EventCounters(metrics));
      main.bind("gauges", new LedgerGauges(ledger, metrics));
    }
    return main;
  }
}
