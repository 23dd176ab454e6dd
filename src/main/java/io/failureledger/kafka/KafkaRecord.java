package io.failureledger.kafka;

import io.failureledger.event.EventProperties;
import io.failureledger.event.Header;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/** A consumed Kafka record, taken off an exchange that keeps its acknowledgement. */
public record KafkaRecord(
    String coordinates, List<Header> headers, byte[] key, byte[] body, Long timestamp) {

  /** Reads the record and leaves a message without headers. */
  public static KafkaRecord take(Exchange exchange) {
    Message message = exchange.getMessage();
    exchange.setProperty(
        EventProperties.ACKNOWLEDGEMENT, message.removeHeader(KafkaConstants.MANUAL_COMMIT));
    KafkaRecord record =
        new KafkaRecord(
            "kafka:"
                + message.getHeader(KafkaConstants.TOPIC)
                + "/"
                + message.getHeader(KafkaConstants.PARTITION)
                + "/"
                + message.getHeader(KafkaConstants.OFFSET),
            KafkaEnvelopes.headers(message),
            (byte[]) message.getHeader(KafkaConstants.KEY),
            (byte[]) message.getBody(),
            (Long) message.getHeader(KafkaConstants.TIMESTAMP));
    message.removeHeaders("*");
    return record;
  }
}
