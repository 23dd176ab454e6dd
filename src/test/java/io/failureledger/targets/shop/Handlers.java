package io.failureledger.targets.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;

/** The shipped handler routes, loaded from their YAML files with the given beans. */
public final class Handlers implements AutoCloseable {
  private final CamelContext context = new DefaultCamelContext();
  private final String route;

  public Handlers(String feed, Map<String, Processor> beans) throws Exception {
    route = "handle-" + feed;
    beans.forEach(context.getRegistry()::bind);
    PluginHelper.getRoutesLoader(context)
        .loadRoutes(
            ResourceHelper.fromString(
                route + ".camel.yaml", handlerIn(Path.of("routes/feeds/" + feed + ".camel.yaml"))));
    context.start();
  }

  /** The handler's part of a feed's file; the feed itself, above it, needs a broker. */
  private static String handlerIn(Path file) throws IOException {
    String text = Files.readString(file);
    return text.substring(text.indexOf("- route:"));
  }

  /** Only the handler is of interest here: ingest needs brokers. */
  public Exchange handle(byte[] body, Map<String, Object> headers) {
    return context
        .createFluentProducerTemplate()
        .to("direct:" + route)
        .withBody(body)
        .withHeaders(headers)
        .send();
  }

  /** A body handled without failure; the reason, or null. */
  public String reason(byte[] body, Map<String, Object> headers) throws Exception {
    Exchange done = handle(body, headers);
    if (done.getException() != null) {
      throw done.getException();
    }
    return done.getProperty("reason", String.class);
  }

  @Override
  public void close() {
    context.stop();
  }
}
