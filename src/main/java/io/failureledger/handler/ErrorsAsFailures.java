package io.failureledger.handler;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.ToDefinition;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.apache.camel.support.processor.DelegateSyncProcessor;

/**
 * Makes an {@link Error} that a step throws the failure of its event. Camel would let it through:
 * no {@code doFinally} and no error handler would run, the exchange would never be done, and the
 * consumer's, timer's or replay's thread would end without a word, with its route looking started.
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
    if (step instanceof ToDefinition to && to.getEndpointUri().startsWith("direct:")) {
      return target; // what is thrown there is thrown in a step of that route
    }
    if (!(target instanceof DelegateSyncProcessor sync)) {
      return new Step(target);
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

  /** A step that goes on when it has called back. */
  private static final class Step extends DelegateAsyncProcessor {
    Step(Processor target) {
      super(target);
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
      Once once = new Once(callback);
      try {
        return super.process(exchange, once);
      } catch (Error error) {
        if (!once.compareAndSet(false, true)) {
          // The step is done; what threw came after it.
          throw error;
        }
        exchange.setException(new StepErrorException(error));
        callback.done(true);
        return true;
      }
    }
  }

  /** What a step that threw still comes to is over already. */
  private static final class Once extends AtomicBoolean implements AsyncCallback {
    private static final long serialVersionUID = 1L;
    private final transient AsyncCallback callback;

    Once(AsyncCallback callback) {
      this.callback = callback;
    }

    @Override
    public void done(boolean doneSync) {
      if (compareAndSet(false, true)) {
        callback.done(doneSync);
      }
    }
  }
}
