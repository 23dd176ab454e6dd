package io.failureledger.ledger;

import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.support.TypeConverterSupport;

/**
 * How Camel makes the map that camel-jdbc takes of a record: {@code leaseToken} becomes {@code
 * lease_token}, an enum constant its text. The kamelet {@code ledger-statement-action} asks for it.
 */
public final class StatementValues extends TypeConverterSupport {
  private StatementValues() {}

  /** From now on this context converts any record to a map. */
  public static void addTo(CamelContext context) {
    context
        .getTypeConverterRegistry()
        .addTypeConverter(Map.class, Record.class, new StatementValues());
  }

  @Override
  public <T> T convertTo(Class<T> type, Exchange exchange, Object value) {
    return type.cast(Statement.values((Record) value));
  }
}
