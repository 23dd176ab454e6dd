package io.failureledger.bench;

import io.failureledger.batch.BatchEvent;
import java.util.Arrays;
import org.apache.camel.Message;

/** What a handler of ingest does with an event: the same code in the product and in a peer. */
enum HandlerWork {
  NONE {
    @Override
    void on(Message event, Meter meter) {
      meter.happened();
    }

    @Override
    void on(BatchEvent event, Meter meter) {
      meter.happened();
    }
  },

  /** Reads body, identity and a header. An event that is not as it was sent has no effect. */
  READS {
    @Override
    void on(Message event, Meter meter) {
      check(event.getBody(byte[].class), event.getHeader("event-type", String.class));
      meter.happened(event.getHeader("event-id", String.class));
    }

    @Override
    void on(BatchEvent event, Meter meter) {
      check(event.body(), (String) event.headers().get("event-type"));
      meter.happened(event.eventId());
    }

    private void check(byte[] body, String type) {
      if (!Arrays.equals(body, Topic.VALUE) || !Topic.TYPE.equals(type)) {
        throw new IllegalStateException("not what was sent");
      }
    }
  };

  abstract void on(Message event, Meter meter);

  /** The same with an event of a batch. */
  abstract void on(BatchEvent event, Meter meter);
}
