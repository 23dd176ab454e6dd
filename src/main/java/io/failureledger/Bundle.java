package io.failureledger;

import io.failureledger.check.KameletProperties;
import io.failureledger.check.LoadedRoutes;
import io.failureledger.check.RouteCollector;
import io.failureledger.check.StartProblem;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.CamelProperties;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import org.apache.camel.ManagementStatisticsLevel;
import org.apache.camel.StartupSummaryLevel;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.main.SimpleMainShutdownStrategy;
import org.apache.camel.support.LifecycleStrategySupport;

/**
 * Puts the parts together: settings, ledger, feeds, routes, management port. Creating a bundle
 * starts nothing and opens no connection; stopping its main closes all it holds. Any number of
 * bundles run side by side, in one JVM or many.
 */
public final class Bundle {
  private Bundle() {}

  /**
   * A Camel main that is ready to run or, in mode RETRY, to be started and stopped.
   *
   * @param home where {@code routes/} and {@code kamelets/} are
   */
  public static Main create(Path home, Settings settings, Mode mode) {
    Main main = new Main();
    CamelProperties.configure(main, settings);
    main.configure().setName("failure-ledger");
    main.configure()
        .setRoutesIncludePattern(
            inHome(home, "routes/**/*.camel.yaml") + "," + inHome(home, "routes/**/*.java"));
    main.configure().setShutdownTimeout((int) settings.duration("shutdown.timeout").toSeconds());
    main.configure().setJmxManagementStatisticsLevel(ManagementStatisticsLevel.Off);
    main.configure().setAutoConfigurationLogSummary(false);
    main.configure().setStartupSummaryLevel(StartupSummaryLevel.Oneline);
    main.addInitialProperty("camel.component.kamelet.location", inHome(home, "kamelets"));
    if (mode == Mode.RETRY) {
      main.configure()
          .setAutoStartupExcludePattern(
              "backfill-users,watch-breakers,count-unresolved,keep-order-release,find-unconfigured-feeds,sweep-erasures");
    }
    main.setRoutesCollector(new RouteCollector(home));
    Wiring parts = new Wiring(main, settings, mode);
    main.addMainListener(new Start(parts, mode, home));
    return main;
  }

  /**
   * Reads the routes and makes all of them, and so finds what is wrong with them. Connects to
   * nothing, listens nowhere, starts nothing.
   *
   * @return the names of the feeds
   * @throws RouteRefusedException naming file, route and what was probably meant
   */
  public static List<String> check(Path home, Settings settings) {
    Main main = create(home, settings, Mode.CHECK);
    main.setShutdownStrategy(new SimpleMainShutdownStrategy());
    try {
      main.init();
      main.getCamelContext().init();
      new KameletProperties(main.getCamelContext(), home).check();
      return List.of(main.lookup("feeds", Feeds.class).names());
    } catch (RuntimeException e) {
      throw new StartProblem(main.getCamelContext(), settings).of(e);
    } finally {
      main.stop();
    }
  }

  private static String inHome(Path home, String what) {
    return "file:" + home.toAbsolutePath().normalize() + "/" + what;
  }

  /** Hooks the parts into Camel's start, in the order in which they need each other. */
  private static final class Start extends MainListenerSupport {
    private final Wiring parts;
    private final Mode mode;
    private final Path home;

    Start(Wiring parts, Mode mode, Path home) {
      this.home = home;
      this.parts = parts;
      this.mode = mode;
    }

    @Override
    public void beforeInitialize(BaseMainSupport main) {
      parts.register(main.getCamelContext());
      if (mode == Mode.RUN) {
        // Feeds consume only once everything that an event may need is started.
        main.getCamelContext()
            .addLifecycleStrategy(
                LifecycleStrategySupport.adapt(
                    LifecycleStrategySupport.onCamelContextStarted(parts::startFeeds)));
      }
    }

    @Override
    public void afterConfigure(BaseMainSupport main) {
      try {
        parts.readFeeds(main.getCamelContext(), mode);
        new LoadedRoutes(main.getCamelContext(), home).checkNames();
      } catch (Exception e) {
        throw e instanceof RuntimeException r ? r : new IllegalStateException(e.getMessage(), e);
      }
    }
  }
}
