package io.failureledger.feed;

import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateSyncProcessor;

/**
 * Makes an {@link Error} that a step throws the failure of its event. Camel would let it through:
 * the exchange would count as done, and the consumer's or replay's thread would end without a word,
 * with its route looking started.
 */
public final class ErrorsAsFailures implements InterceptStrategy {

  /** Carries the error, which alone names the cause. */
  public static final class StepErrorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StepErrorException(Error error) {
      super(String.valueOf(error.getMessage()), error);
    }
  }

  @Override
  public Processor wrapProcessorInInterceptors(
      CamelContext context, NamedNode step, Processor target, Processor next) {
    if (!(target instanceof DelegateSyncProcessor sync)) {
      return target;
    }
    Processor processor = sync.getProcessor();
    return new DelegateSyncProcessor(
        exchange -> {
          try {
            processor.process(exchange);
          } catch (Error error) {
            throw new StepErrorException(error);
          }
        });
  }
}
