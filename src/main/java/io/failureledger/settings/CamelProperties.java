package io.failureledger.settings;

import org.apache.camel.component.properties.PropertiesComponent;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;

/**
 * Makes {@code {{key}}} in a route mean exactly what {@link Settings} says. Camel itself would read
 * the environment and -D before anything else and so pass by the order and the checks of the
 * settings; here they are only a fallback for names that the settings do not know.
 */
public final class CamelProperties {

  private static final int FALLBACK = 1;

  private CamelProperties() {}

  /**
   * Hands over all values and switches Camel's own properties file off. To be called before Camel
   * starts.
   */
  public static void configure(Main main, Settings settings) {
    main.setDefaultPropertyPlaceholderLocation("false");
    main.setOverrideProperties(settings.asProperties());
    main.addMainListener(
        new MainListenerSupport() {
          @Override
          public void beforeInitialize(BaseMainSupport starting) {
            PropertiesComponent properties =
                (PropertiesComponent) starting.getCamelContext().getPropertiesComponent();
            properties.setEnvironmentVariableMode(FALLBACK);
            properties.setSystemPropertiesMode(FALLBACK);
          }
        });
  }
}
