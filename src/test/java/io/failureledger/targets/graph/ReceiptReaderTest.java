package io.failureledger.targets.graph;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.shop.Bodies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptReaderTest {
  private static final String VALID =
      new String(Bodies.receipt("r1", "u1", "2026-03-01T10:00:00+01:00", "p1"), UTF_8);

  private static Receipt read(String body) {
    return ReceiptReader.read(body.getBytes(UTF_8), Bodies.BELIEVING);
  }

  @Test
  void timesAreUtcTextOfOneWidth() {
    assertThat(read(VALID).updatedAt()).isEqualTo("2026-03-01T09:00:00.000000Z");
  }

  @Test
  void idsThatAreIntegersBecomeText() {
    String body = VALID.replace("\"user_id\":\"u1\"", "\"user_id\":9007199254740993117");
    assertThat(read(body).userId()).isEqualTo("9007199254740993117");
  }

  @Test
  void moneyKeepsItsDigits() {
    Receipt receipt = read(VALID.replace("\"3.10\"", "3.10"));
    assertThat(receipt.items().get(0).price()).isEqualTo("3.10");
    assertThat(receipt.total()).isEqualTo("12.30");
  }

  @Test
  void linesOfOneProductBecomeOneAndProductsAreOrdered() {
    Receipt receipt =
        ReceiptReader.read(
            Bodies.receipt("r", "u", "2026-03-01T10:00:00Z", "p2", "p1", "p2"), Bodies.BELIEVING);
    assertThat(receipt.items())
        .extracting(line -> line.productId() + "x" + line.quantity())
        .containsExactly("p1x1", "p2x2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "receipt_id",
        "user_id",
        "shop",
        "purchased_at",
        "updated_at",
        "total",
        "currency",
        "items",
        "product_id",
        "quantity",
        "price"
      })
  void aMissingFieldIsNamed(String field) {
    assertThatThrownBy(() -> read(VALID.replace("\"" + field + "\":", "\"other\":")))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining(field)
        .hasMessageContaining("it is absent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"quantity\":1 | \"quantity\":\"one\" | items[0].quantity",
        "\"quantity\":1 | \"quantity\":1e99 | items[0].quantity",
        "\"3.10\" | \"three\" | items[0].price",
        "\"user_id\":\"u1\" | \"user_id\":\" \" | user_id",
        "\"user_id\":\"u1\" | \"user_id\":\"u\\u0000\" | user_id",
        "\"receipt_id\":\"r1\" | \"receipt_id\":\"\\ud800\" | receipt_id",
        "2026-03-01T10:00:00+01:00 | 2026-03-01 | purchased_at",
      })
  void aFieldOfAnotherKindIsNamed(String field, String replaced, String named) {
    assertThatThrownBy(() -> read(VALID.replace(field, replaced)))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining(named);
  }

  @Test
  void aReceiptWithoutItemsIsMalformed() {
    assertThatThrownBy(
            () ->
                ReceiptReader.read(
                    Bodies.receipt("r", "u", "2026-03-01T10:00:00Z"), Bodies.BELIEVING))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining("items");
  }
}
