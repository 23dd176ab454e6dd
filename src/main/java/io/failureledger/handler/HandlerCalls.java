package io.failureledger.handler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.support.service.ServiceHelper;

/**
 * Calls handlers by their route ids. A call returns when the handler is done, whatever threads it
 * took; what it threw is on the exchange.
 */
public final class HandlerCalls implements AutoCloseable {
  private final Supplier<CamelContext> context;
  private final Map<String, AsyncProducer> producers = new ConcurrentHashMap<>();

  /**
   * @param context asked at the first call of each handler
   */
  public HandlerCalls(Supplier<CamelContext> context) {
    this.context = context;
  }

  /**
   * @param handler of a configured feed
   * @throws Exception when the handler is not there, because the bundle starts or stops
   */
  public void call(String handler, Exchange exchange) throws Exception {
    producers.computeIfAbsent(handler, this::producer).process(exchange);
  }

  private AsyncProducer producer(String handler) {
    Endpoint endpoint = context.get().getEndpoint("direct:" + handler);
    try {
      AsyncProducer producer = endpoint.createAsyncProducer();
      ServiceHelper.startService(producer);
      return producer;
    } catch (Exception e) {
      throw new IllegalStateException(handler + " cannot be called", e);
    }
  }

  @Override
  public void close() {
    producers.values().forEach(ServiceHelper::stopService);
  }
}
