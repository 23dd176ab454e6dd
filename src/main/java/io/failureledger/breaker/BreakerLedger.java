package io.failureledger.breaker;

import io.failureledger.event.Causes;
import io.failureledger.ledger.SqlFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes breakers in the ledger, by the routes of {@code change-breaker}, each in a transaction of
 * its own. A change that fails is logged and dropped: the event that led to it is safe, and the
 * next one tries again. A process that dies in between leaves the breaker as it was.
 */
final class BreakerLedger {
  private static final Logger LOG = LoggerFactory.getLogger(BreakerLedger.class);

  private final ProducerTemplate camel;
  private final BreakerSettings settings;

  BreakerLedger(ProducerTemplate camel, BreakerSettings settings) {
    this.camel = camel;
    this.settings = settings;
  }

  /** One more pausing failure in a row. */
  void count(BreakerKey key, String error) {
    Map<String, Object> parameters = parameters(key);
    parameters.put("threshold", settings.threshold());
    parameters.put("probe_period", settings.probePeriodSeconds());
    parameters.put("error", error);
    change("count", key, parameters);
  }

  /** Opens it, when it is not open yet. */
  void open(BreakerKey key, String cause, String error) {
    Map<String, Object> parameters = parameters(key);
    parameters.put("cause", cause);
    parameters.put("probe_period", settings.probePeriodSeconds());
    parameters.put("error", error);
    change("open", key, parameters);
  }

  /** Ends the failures in a row; closes it when it is open for one of these causes. */
  void close(BreakerKey key, String... causes) {
    Map<String, Object> parameters = parameters(key);
    parameters.put("causes", causes);
    change("close", key, parameters);
  }

  /** The probe failed. */
  void failProbe(BreakerKey key, String error) {
    Map<String, Object> parameters = parameters(key);
    parameters.put("error", error);
    change("fail-probe", key, parameters);
  }

  /** There was nothing to probe with. */
  void probeConsuming(BreakerKey key, boolean wholeFeed) {
    Map<String, Object> parameters = parameters(key);
    parameters.put("threshold", settings.threshold());
    parameters.put("whole_feed", wholeFeed);
    change("probe-consuming", key, parameters);
  }

  private static Map<String, Object> parameters(BreakerKey key) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", key.feed());
    parameters.put("target", key.target());
    return parameters;
  }

  private void change(String how, BreakerKey key, Map<String, Object> parameters) {
    Exchange done =
        camel.send(
            "direct:change-breaker-" + how,
            exchange -> exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters));
    if (done.getException() != null) {
      LOG.warn(
          "the breaker of {} could not be changed ({}): {}",
          key.words(),
          how,
          Causes.sentence(done.getException()));
    }
  }

  /** The rows of a statement's answer. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> rows(Exchange exchange) {
    return exchange.getMessage().getBody(List.class);
  }
}
