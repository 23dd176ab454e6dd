package io.failureledger.routes;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;

/**
 * The ids of the steps that ran, in their order, over all routes. Steps without an id of their own
 * are left out, and so are the steps inside the ledger's kamelet, which the mocked ledger tells
 * better, and the frame around the acknowledge step.
 */
final class StepTrace implements InterceptStrategy {
  private static final Set<String> INSIDE =
      Set.of(
          "name-values",
          "read-statement",
          "run-statement",
          "forget-values",
          "acknowledge-on-completion");

  private final List<String> ran = new CopyOnWriteArrayList<>();

  /** What ran since the last {@link #clear}. */
  List<String> ran() {
    return List.copyOf(ran);
  }

  /** What ran of these steps, in the order in which it ran. */
  List<String> ranOf(String... ids) {
    Set<String> wanted = Set.of(ids);
    return ran.stream().filter(wanted::contains).collect(Collectors.toList());
  }

  void clear() {
    ran.clear();
  }

  @Override
  public Processor wrapProcessorInInterceptors(
      CamelContext context, NamedNode definition, Processor target, Processor next) {
    String id = definition.getId();
    return new DelegateAsyncProcessor(target) {
      @Override
      public boolean process(Exchange exchange, AsyncCallback callback) {
        if (id != null && !id.matches(".*[a-z]\\d+") && !INSIDE.contains(id)) {
          ran.add(id);
        }
        return super.process(exchange, callback);
      }
    };
  }
}
