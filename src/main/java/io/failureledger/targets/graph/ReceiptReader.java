package io.failureledger.targets.graph;

import com.fasterxml.jackson.databind.JsonNode;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.SourceClock;
import io.failureledger.targets.SourceTime;
import io.failureledger.targets.shop.SnapshotReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;

/**
 * The step {@code read-receipt}: reads the body {@code byte[]} into the exchange property {@value
 * #RECEIPT} and names the target, {@code graph}. It is pure; a repeat reads the same.
 *
 * <p>Needed: {@code receipt_id}, {@code user_id}, {@code shop.id}, {@code purchased_at}, {@code
 * updated_at}, {@code total}, {@code currency} and at least one of {@code items} with {@code
 * product_id}, {@code quantity}, {@code price}. Names may be absent; one that is malformed is
 * ignored with a line. Ids may be integers or text. Quantities may be negative (a return) and have
 * decimals (weighed goods). Lines of the same product are one line with the exact sum of their
 * quantities. Other fields are ignored. A time that is not believed, see {@link SourceClock}, is
 * compared as that of the first receipt.
 */
public final class ReceiptReader implements Processor {
  /** Exchange property that holds the {@link Receipt}. */
  static final String RECEIPT = "receipt";

  private static final Pattern MONEY = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,20})?");
  private static final Pattern QUANTITY = Pattern.compile("-?[0-9]{1,12}(\\.[0-9]{1,20})?");
  private static final DateTimeFormatter ONE_WIDTH =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX");

  private final Duration tolerance;

  /**
   * @param tolerance how far an event's own time may lie ahead of its first receipt
   */
  public ReceiptReader(Duration tolerance) {
    this.tolerance = tolerance;
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws MalformedEventException the body is no JSON object, or one of these is absent or of
   *     another kind
   */
  @Override
  public void process(Exchange exchange) {
    exchange.setProperty(SnapshotReader.TARGET, "graph");
    Message message = exchange.getMessage();
    exchange.setProperty(
        RECEIPT,
        read(message.getBody(byte[].class), SourceClock.of(message.getHeaders(), tolerance)));
  }

  static Receipt read(byte[] body, SourceClock clock) {
    JsonNode json = JsonBody.parse(body).json();
    JsonNode shop = json.path("shop");
    OffsetDateTime purchased = time(json, "purchased_at");
    OffsetDateTime updated = time(json, "updated_at");
    return new Receipt(
        id(json, "receipt_id", ""),
        id(json, "user_id", ""),
        id(shop, "id", "shop."),
        name(shop, "shop.", clock),
        oneWidth(purchased),
        oneWidth(orReceipt("purchased_at", purchased, clock)),
        oneWidth(orReceipt("updated_at", updated, clock)),
        money(json, "total", ""),
        text(json, "currency", ""),
        lines(json.path("items"), clock));
  }

  private static List<Receipt.Line> lines(JsonNode items, SourceClock clock) {
    if (!items.isArray() || items.isEmpty()) {
      throw malformed("items", "list with at least one item", items);
    }
    TreeMap<String, Receipt.Line> byProduct = new TreeMap<>();
    for (int i = 0; i < items.size(); i++) {
      JsonNode item = items.get(i);
      String in = "items[" + i + "].";
      Receipt.Line line =
          new Receipt.Line(
              id(item, "product_id", in),
              name(item, in, clock),
              new BigDecimal(
                  decimal(item, "quantity", in, QUANTITY, "quantity such as 2 or 0.532")),
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

  private static String name(JsonNode of, String in, SourceClock clock) {
    JsonNode name = of.path("name");
    if (name.isMissingNode() || name.isNull()) {
      return null;
    }
    try {
      return text(of, "name", in);
    } catch (MalformedEventException malformed) {
      clock.ignored(in + "name", name.toString());
      return null;
    }
  }

  private static String money(JsonNode of, String field, String in) {
    return decimal(of, field, in, MONEY, "amount such as \"12.30\"");
  }

  /** The digits of a number, or of a text that is one, as received. */
  private static String decimal(
      JsonNode of, String field, String in, Pattern allowed, String wanted) {
    JsonNode number = of.path(field);
    String digits =
        number.isTextual() ? number.textValue() : number.isNumber() ? plain(number) : "";
    if (!allowed.matcher(digits).matches()) {
      throw malformed(in + field, wanted, number);
    }
    return digits;
  }

  /** Without an exponent such as a double's 1.0E7, unless that would make it very long. */
  private static String plain(JsonNode number) {
    BigDecimal decimal = number.decimalValue();
    return Math.abs(decimal.scale()) > 50 ? number.toString() : decimal.toPlainString();
  }

  private static OffsetDateTime time(JsonNode of, String field) {
    return SourceTime.parse("The field " + field, text(of, field, ""));
  }

  private static OffsetDateTime orReceipt(String field, OffsetDateTime said, SourceClock clock) {
    OffsetDateTime believed = clock.believed(field, said);
    return believed == null ? clock.receipt() : believed;
  }

  /** As text whose order is that of the times. */
  static String oneWidth(OffsetDateTime time) {
    return ONE_WIDTH.format(time);
  }

  private static MalformedEventException malformed(String field, String wanted, JsonNode found) {
    String shown = found.isMissingNode() ? "it is absent" : JsonBody.cut(found.toString());
    return new MalformedEventException(
        "The field " + field + " is no " + wanted + ": " + shown + ".");
  }
}
