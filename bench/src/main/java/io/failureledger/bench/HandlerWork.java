package io.failureledger.bench;

import java.util.Arrays;
import org.apache.camel.Message;

/** What a handler of ingest does with an event: the same code in the product and in a peer. */
enum HandlerWork {
  NONE {
    @Override
    void on(Message event, Meter meter) {
      meter.happened();
    }
  },

  /** Reads body, identity and a header. An event that is not as it was sent has no effect. */
  READS {
    @Override
    void on(Message event, Meter meter) {
      byte[] body = event.getBody(byte[].class);
      String type = event.getHeader("event-type", String.class);
      if (!Arrays.equals(body, Topic.VALUE) || !Topic.TYPE.equals(type)) {
        throw new IllegalStateException("not what was sent");
      }
      meter.happened(event.getHeader("event-id", String.class));
    }
  };

  abstract void on(Message event, Meter meter);
}
