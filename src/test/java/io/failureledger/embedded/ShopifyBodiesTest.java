package io.failureledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopifyBodiesTest {
  private static final long ID = 9_007_199_254_740_995L;
  private static final Instant UPDATED = Instant.parse("2026-03-01T10:00:00Z");

  private final ShopifyBodies bodies = new ShopifyBodies(1);

  private static JsonNode json(byte[] body) throws IOException {
    return new ObjectMapper().readTree(body);
  }

  @ParameterizedTest
  @ValueSource(ints = {ShopifyBodies.SMALLEST, 2_048, 6_000, 51_200, ShopifyBodies.LARGEST})
  void anOrderHasTheSizeThatIsWantedAndLinesOfItsOwn(int bytes) throws IOException {
    byte[] body = ShopifyBodies.bytes(bodies.order(ID, UPDATED, bytes));
    JsonNode order = json(body);
    assertThat(body).hasSize(bytes);
    assertThat(order.get("id").longValue()).isEqualTo(ID);
    assertThat(Instant.parse(order.get("updated_at").asText().replace("+02:00", "Z")))
        .isEqualTo(UPDATED.plusSeconds(7_200));
    Set<Long> lines = new HashSet<>();
    order.get("line_items").forEach(line -> lines.add(line.get("id").longValue()));
    assertThat(lines).hasSize(order.get("line_items").size()).isNotEmpty();
  }

  @Test
  void aProductAndACustomerHaveTheSizeThatIsWanted() throws IOException {
    byte[] product = ShopifyBodies.bytes(bodies.product(ID, UPDATED, 20_000));
    assertThat(product).hasSize(20_000);
    assertThat(json(product).get("variants").size()).isGreaterThan(10);
    assertThat(ShopifyBodies.bytes(bodies.customer(ID, UPDATED, 2_048))).hasSize(2_048);
  }

  @Test
  void theLargestOrdersHaveUpToAThousandLinesAndAllFields() throws IOException {
    int most = 0;
    for (int i = 0; i < 40; i++) {
      JsonNode order = bodies.order(ID, UPDATED, ShopifyBodies.LARGEST);
      assertThat(order.get("customer").get("default_address").isObject()).isTrue();
      assertThat(order.has("shipping_lines") && order.has("billing_address")).isTrue();
      most = Math.max(most, order.get("line_items").size());
    }
    assertThat(most).isEqualTo(ShopifyBodies.MOST_LINES);
  }

  @Test
  void mostSizesAreAboutTwoKilobytesAndSomeAreLarge() {
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      sizes.add(bodies.size());
    }
    sizes.sort(null);
    assertThat(sizes.get(0)).isGreaterThanOrEqualTo(ShopifyBodies.SMALLEST);
    assertThat(sizes.get(2_500)).isBetween(1_500, 2_700);
    assertThat(sizes.get(4_999)).isEqualTo(ShopifyBodies.LARGEST);
  }

  @Test
  void theSameSeedMakesTheSameBodies() {
    assertThat(new ShopifyBodies(7).order(ID, UPDATED, 9_000))
        .isEqualTo(new ShopifyBodies(7).order(ID, UPDATED, 9_000));
  }
}
