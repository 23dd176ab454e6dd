package io.failureledger.feeds;

import io.failureledger.event.HeaderRules;
import io.failureledger.event.Selectors;
import io.failureledger.policy.RetryPolicy;

/**
 * One configured stream of events, as its route file says.
 *
 * @param target the one that its handler writes to; null where the handler names one of many
 * @param broker where its events come from
 * @param source the full name of its topic or subscription
 * @param retryTopic where failed events go while the ledger is unavailable; null returns them
 *     instead
 * @param deadLetterTopic where failed rows are also published; null publishes nothing
 * @param ordered whether events of one record key keep their order, those that fail included
 * @param batch which events its batch handler gets together; null where it has none
 */
public record Feed(
    String name,
    Broker broker,
    String target,
    String source,
    RetryPolicy policy,
    Selectors selectors,
    HeaderRules headers,
    String retryTopic,
    String deadLetterTopic,
    boolean ordered,
    BatchRule batch) {

  /** How the name of no feed may end: its handler would be another feed's batch handler. */
  static final String BATCH = "-batch";

  public String ingestRoute() {
    return "ingest-" + name;
  }

  public String drainRoute() {
    return "drain-retry-topic-" + name;
  }

  public String collectRoute() {
    return "collect-dead-letter-users-" + name;
  }

  public String handler() {
    return "handle-" + name;
  }

  /** The route that a feed may have for events that are at hand together. */
  public String batchHandler() {
    return batchHandler(name);
  }

  static String batchHandler(String feed) {
    return "handle-" + feed + BATCH;
  }
}
