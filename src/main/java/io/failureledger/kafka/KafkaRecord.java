package io.failureledger.kafka;

import io.failureledger.event.Header;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ingest.ReadEnvelope;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/** A consumed Kafka record, taken off an exchange whose commit is kept for {@link Acknowledge}. */
public record KafkaRecord(
    String coordinates, List<Header> headers, byte[] key, byte[] body, Long timestamp) {

  /** Reads the record and leaves a message without headers. */
  public static KafkaRecord take(Exchange exchange) {
    Message message = exchange.getMessage();
    ReadEnvelope.keepCommit(exchange, message);
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
