package io.failureledger.embedded.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.failureledger.embedded.ShopifyBodies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static final int EVENTS = 3_000;

  @Test
  void bodiesAreOneKilobyteToTheLargestExceptDeletes() {
    for (Traffic traffic : both()) {
      List<Integer> sizes =
          events(traffic).stream()
              .filter(event -> !event.effect().fingerprint().equals(Effect.DELETED))
              .filter(event -> isJson(event.body()))
              .map(event -> event.body().length)
              .sorted()
              .toList();
      assertThat(sizes.get(0)).isBetween(Sizes.SMALLEST, 2 * Sizes.SMALLEST);
      assertThat(sizes.get(sizes.size() / 2)).isLessThan(12_000);
      boolean ofShops = traffic instanceof ShopifyTraffic;
      assertThat(sizes.get(sizes.size() - 1))
          .isBetween(45_000, ofShops ? ShopifyBodies.LARGEST : Sizes.LARGEST);
    }
  }

  @Test
  void someBodiesAreCutAndMostAreNot() {
    for (Traffic traffic : both()) {
      long cut = events(traffic).stream().filter(event -> !isJson(event.body())).count();
      assertThat(cut).isBetween(3L, EVENTS / 50L);
    }
  }

  @Test
  void theSameSeedMakesTheSameEvents() {
    assertThat(ids()).isEqualTo(ids()).doesNotHaveDuplicates();
  }

  private static List<String> ids() {
    return both().stream()
        .flatMap(traffic -> events(traffic).stream())
        .map(DemoEvent::eventId)
        .toList();
  }

  private static List<Traffic> both() {
    return List.of(new ShopifyTraffic(1, new Shops()), new ReceiptTraffic(1, new ReceiptOwner()));
  }

  private static List<DemoEvent> events(Traffic traffic) {
    List<DemoEvent> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.addAll(traffic.next());
    }
    return events;
  }

  private static boolean isJson(byte[] body) {
    try {
      return new ObjectMapper().readTree(body).isObject();
    } catch (JsonProcessingException cut) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
