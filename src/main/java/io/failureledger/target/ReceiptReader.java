package io.failureledger.target;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code read-receipt}: reads the body {@code byte[]} into the exchange property {@value
 * #RECEIPT} and names the target, {@code graph}. It is pure; a repeat reads the same.
 *
 * <p>Needed: {@code receipt_id}, {@code user_id}, {@code shop.id}, {@code purchased_at}, {@code
 * updated_at}, {@code total}, {@code currency} and at least one of {@code items} with {@code
 * product_id}, {@code quantity}, {@code price}. Names may be absent. Ids may be integers or text.
 * Lines of the same product are one line with the sum of their quantities. Other fields are
 * ignored.
 */
public final class ReceiptReader implements Processor {
  /** Exchange property that holds the {@link Receipt}. */
  static final String RECEIPT = "receipt";

  private static final Pattern MONEY = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,20})?");
  private static final DateTimeFormatter ONE_WIDTH =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX");

  /**
   * Runs the step on the exchange.
   *
   * @throws MalformedEventException the body is no JSON object, or one of these is absent or of
   *     another kind
   */
  @Override
  public void process(Exchange exchange) {
    exchange.setProperty(SnapshotReader.TARGET, "graph");
    exchange.setProperty(RECEIPT, read(exchange.getMessage().getBody(byte[].class)));
  }

  static Receipt read(byte[] body) {
    JsonNode json = JsonBody.parse(body).json();
    JsonNode shop = json.path("shop");
    return new Receipt(
        id(json, "receipt_id", ""),
        id(json, "user_id", ""),
        id(shop, "id", "shop."),
        name(shop, "shop."),
        time(json, "purchased_at"),
        time(json, "updated_at"),
        money(json, "total", ""),
        text(json, "currency", ""),
        lines(json.path("items")));
  }

  private static List<Receipt.Line> lines(JsonNode items) {
    if (!items.isArray() || items.isEmpty()) {
      throw malformed("items", "list with at least one item", items);
    }
    TreeMap<String, Receipt.Line> byProduct = new TreeMap<>();
    for (int i = 0; i < items.size(); i++) {
      JsonNode item = items.get(i);
      String in = "items[" + i + "].";
      JsonNode quantity = item.path("quantity");
      if (!quantity.isInt() || quantity.intValue() < 0) {
        throw malformed(in + "quantity", "whole number from 0 to " + Integer.MAX_VALUE, quantity);
      }
      Receipt.Line line =
          new Receipt.Line(
              id(item, "product_id", in),
              name(item, in),
              quantity.intValue(),
              money(item, "price", in));
      byProduct.merge(line.productId(), line, Receipt.Line::plus);
    }
    return new ArrayList<>(byProduct.values());
  }

  private static String id(JsonNode of, String field, String in) {
    JsonNode id = of.path(field);
    if (id.isIntegralNumber()) {
      return id.asText();
    }
    String text = text(of, field, in);
    // An id that has to be changed to be stored would be another one's.
    if (!text.equals(id.textValue())) {
      throw malformed(in + field, "text without NUL and half surrogate pairs", id);
    }
    return text;
  }

  private static String text(JsonNode of, String field, String in) {
    JsonNode text = of.path(field);
    if (!text.isTextual() || text.textValue().isBlank() || text.textValue().length() > 1_000) {
      throw malformed(in + field, "text of 1 to 1000 characters", text);
    }
    return JsonBody.storable(text.textValue());
  }

  private static String name(JsonNode of, String in) {
    return of.path("name").isMissingNode() || of.path("name").isNull()
        ? null
        : text(of, "name", in);
  }

  private static String money(JsonNode of, String field, String in) {
    JsonNode money = of.path(field);
    String digits =
        money.isTextual() ? money.textValue() : money.isNumber() ? money.toString() : "";
    if (!MONEY.matcher(digits).matches()) {
      throw malformed(in + field, "amount such as \"12.30\"", money);
    }
    return digits;
  }

  private static String time(JsonNode of, String field) {
    return ONE_WIDTH.format(SourceTime.parse("The field " + field, text(of, field, "")));
  }

  private static MalformedEventException malformed(String field, String wanted, JsonNode found) {
    String shown = found.isMissingNode() ? "it is absent" : JsonBody.cut(found.toString());
    return new MalformedEventException(
        "The field " + field + " is no " + wanted + ": " + shown + ".");
  }
}
