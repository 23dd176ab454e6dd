package io.failureledger.targets.shop;

import com.fasterxml.jackson.databind.JsonNode;
import io.failureledger.erase.DataExport;
import io.failureledger.erase.Erasure;
import io.failureledger.erase.Erasures;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.SourceClock;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;

/**
 * The step {@code answer-compliance-request}: what Shopify asks about personal data. Any other
 * event goes on to the next step; these end here. An erasure is asked for durably, and swept by a
 * timer. A repeat asks again, and finds nothing more. An export is one file, and a repeat writes it
 * again.
 */
public final class ComplianceRequests implements Processor {
  private final Erasures erasures;
  private final DataExport export;
  private final Duration tolerance;

  /**
   * @param tolerance how far an event's own time may lie ahead of its first receipt
   */
  public ComplianceRequests(Erasures erasures, DataExport export, Duration tolerance) {
    this.erasures = erasures;
    this.export = export;
    this.tolerance = tolerance;
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws MalformedEventException the body does not say whom it is about
   * @throws SQLException the ledger, or for an export a target, did not answer
   * @throws IOException the export could not be written
   */
  @Override
  public void process(Exchange exchange) throws SQLException, IOException {
    Message message = exchange.getMessage();
    ShopifyHeaders headers = new ShopifyHeaders(message.getHeaders());
    String topic = headers.topic().orElse("").toLowerCase(Locale.ROOT);
    if (!TableFile.COMPLIANCE.contains(topic)) {
      return;
    }
    JsonNode body = JsonBody.parse(message.getBody(byte[].class)).json();
    String shop = shop(headers, body);
    switch (topic) {
      case "shop/redact" ->
          erasures.request(new Erasure(shop, null, null, upTo(message, headers)), "Shopify", topic);
      case "customers/redact" ->
          erasures.request(
              new Erasure(
                  shop, customer(body), numbers(body, "orders_to_redact"), upTo(message, headers)),
              "Shopify",
              topic);
      default ->
          export.write(
              shop,
              customer(body),
              numbers(body, "orders_requested"),
              message.getHeader("event-id", String.class));
    }
    exchange.setRouteStop(true);
  }

  /** Of the header and of the body, which must not name different ones. */
  private static String shop(ShopifyHeaders headers, JsonNode body) {
    String named = body.path("shop_domain").asText("").toLowerCase(Locale.ROOT);
    String shop = headers.shopDomain().orElse(named).toLowerCase(Locale.ROOT);
    if (!SnapshotReader.DOMAIN.matcher(shop).matches()
        || !(named.isEmpty() || named.equals(shop))) {
      throw new MalformedEventException(
          "The header names the shop '"
              + JsonBody.cut(shop)
              + "' and the body '"
              + JsonBody.cut(named)
              + "'; both must name the same one.");
    }
    return shop;
  }

  private static String customer(JsonNode body) {
    JsonNode id = body.path("customer").path("id");
    if (!id.asText().matches("[0-9]{1,19}")) {
      throw new MalformedEventException(
          "The body has no number in customer/id: " + JsonBody.cut(id.toString()) + ".");
    }
    return id.asText();
  }

  private static List<String> numbers(JsonNode body, String field) {
    List<String> all = new ArrayList<>();
    for (JsonNode each : body.path(field)) {
      if (!each.asText().matches("[0-9]{1,19}")) {
        throw new MalformedEventException(
            "The field " + field + " has no number: " + JsonBody.cut(each.toString()) + ".");
      }
      all.add(each.asText());
    }
    return all;
  }

  /** When it was asked for: what its source dates later is newer data. */
  private Instant upTo(Message message, ShopifyHeaders headers) {
    SourceClock clock = SourceClock.of(message.getHeaders(), tolerance);
    OffsetDateTime triggered =
        clock.optional("X-Shopify-Triggered-At", headers.triggeredAt().orElse(null));
    OffsetDateTime time = triggered == null ? clock.receipt() : triggered;
    return time == null ? null : time.toInstant();
  }
}
