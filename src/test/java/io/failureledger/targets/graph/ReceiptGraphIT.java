package io.failureledger.targets.graph;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.shop.Bodies;
import io.failureledger.targets.shop.Handlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiptGraphIT {
  private static final String AT_TEN = "2026-03-01T10:00:00Z";
  private static final String AT_ELEVEN = "2026-03-01T13:00:00+02:00";

  private static TargetGraph graph;
  private static Handlers handlers;

  @BeforeAll
  static void start() throws Exception {
    graph = new TargetGraph();
    handlers = graph.handlers();
  }

  @AfterAll
  static void stop() {
    handlers.close();
    graph.close();
  }

  @BeforeEach
  void emptyGraph() {
    graph.empty();
  }

  private static String merge(String receipt, String updatedAt, String... products)
      throws Exception {
    return handlers.reason(Bodies.receipt(receipt, "u1", updatedAt, products), Map.of());
  }

  private static Object one(String cypher) {
    return graph.run(cypher).get(0).get(0).asObject();
  }

  private static Object products() {
    return one(
        "MATCH (:User {id: 'u1'})-[b:PURCHASED]->(p:Product) WITH p ORDER BY p.id RETURN collect(p.id)");
  }

  @Test
  void fiveRunsOfOneReceiptLeaveOneEdgePerProductAndShop() throws Exception {
    for (int run = 0; run < 5; run++) {
      assertThat(merge("r1", AT_TEN, "p1", "p2")).isNull();
    }
    assertThat(one("MATCH (:User)-[b:PURCHASED]->(:Product) RETURN count(b)")).isEqualTo(2L);
    assertThat(one("MATCH (:User)-[b:SHOPS_AT]->(:Shop) RETURN count(b)")).isEqualTo(1L);
    assertThat(one("MATCH (n) RETURN count(n)")).isEqualTo(4L);
    assertThat(one("MATCH ()-[b:PURCHASED]->({id: 'p1'}) RETURN properties(b)"))
        .isEqualTo(
            Map.of(
                "receipt_id", "r1",
                "shop_id", "s1",
                "purchased_at", "2026-03-01T09:00:00.000000Z",
                "updated_at", "2026-03-01T10:00:00.000000Z",
                "quantity", 1L,
                "price", "3.10",
                "currency", "EUR",
                "receipt_total", "12.30"));
  }

  @Test
  void twoReceiptsOfOneProductAreTwoPurchasesAndOneShop() throws Exception {
    assertThat(merge("r1", AT_TEN, "p1")).isNull();
    assertThat(merge("r2", AT_TEN, "p1")).isNull();
    assertThat(one("MATCH ()-[b:PURCHASED]->({id: 'p1'}) RETURN count(b)")).isEqualTo(2L);
    assertThat(one("MATCH ()-[b:SHOPS_AT]->() RETURN count(b)")).isEqualTo(1L);
  }

  @Test
  void anOlderVersionNeverReplacesANewerOne() throws Exception {
    assertThat(merge("r1", AT_ELEVEN, "p1", "p2")).isNull();
    assertThat(merge("r1", AT_TEN, "p1", "p3")).isEqualTo("superseded");
    assertThat(products()).isEqualTo(List.of("p1", "p2"));
    assertThat(one("MATCH (p:Product {id: 'p3'}) RETURN count(p)")).isEqualTo(0L);
  }

  @Test
  void aNewerVersionTakesAwayWhatItNoLongerLists() throws Exception {
    assertThat(merge("r1", AT_TEN, "p1", "p2")).isNull();
    assertThat(merge("r2", AT_TEN, "p2")).isNull();
    assertThat(merge("r1", AT_ELEVEN, "p1", "p3")).isNull();
    assertThat(products()).isEqualTo(List.of("p1", "p2", "p3"));
    assertThat(one("MATCH ()-[b:PURCHASED {receipt_id: 'r1'}]->() RETURN count(b)")).isEqualTo(2L);
  }

  @Test
  void theNewestReceiptNamesAProductAndAnOlderOneDoesNot() throws Exception {
    byte[] later = renamed(Bodies.receipt("r2", "u2", AT_ELEVEN, "p1"), "Green tea");
    byte[] older = renamed(Bodies.receipt("r3", "u3", AT_TEN, "p1"), "Old tea");
    assertThat(merge("r1", AT_TEN, "p1")).isNull();
    assertThat(handlers.reason(later, Map.of())).isNull();
    assertThat(handlers.reason(older, Map.of())).isNull();
    assertThat(one("MATCH (p:Product {id: 'p1'}) RETURN p.name")).isEqualTo("Green tea");
  }

  private static byte[] renamed(byte[] receipt, String name) {
    return new String(receipt, UTF_8).replace("Tea", name).getBytes(UTF_8);
  }

  @Test
  void concurrentMergesOfManyVersionsLeaveTheNewest() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<String>> done = new ArrayList<>();
      for (int i : IntStream.range(0, 60).map(i -> (i * 7) % 60).toArray()) {
        String at = "2026-03-01T10:00:%02dZ".formatted(i);
        done.add(threads.submit(() -> merge("r1", at, "p0", "p" + i)));
      }
      for (Future<String> one : done) {
        assertThat(one.get()).isIn(null, "superseded");
      }
    } finally {
      threads.shutdown();
    }
    assertThat(products()).isEqualTo(List.of("p0", "p59"));
    assertThat(one("MATCH ()-[b:SHOPS_AT]->() RETURN count(b)")).isEqualTo(1L);
  }

  @Test
  void concurrentMergesOfManyUsersShareShopsAndProducts() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<String>> done = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        byte[] body = Bodies.receipt("r" + i, "u" + i % 20, AT_TEN, "p" + i % 3, "p1", "p9");
        done.add(threads.submit(() -> handlers.reason(body, Map.of())));
      }
      for (Future<String> one : done) {
        assertThat(one.get()).isNull();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(one("MATCH (n:User) RETURN count(n)")).isEqualTo(20L);
    assertThat(one("MATCH (n:Shop) RETURN count(n)")).isEqualTo(1L);
    assertThat(one("MATCH (n:Product) RETURN count(n)")).isEqualTo(4L);
    assertThat(one("MATCH ()-[b:SHOPS_AT]->() RETURN count(b)")).isEqualTo(20L);
  }

  @Test
  void aMalformedReceiptNamesTheTargetAndWritesNothing() {
    Exchange failed = handlers.handle("{\"receipt_id\":1}".getBytes(UTF_8), Map.of());
    assertThat(failed.getException()).isInstanceOf(MalformedEventException.class);
    assertThat(failed.getProperty("target")).isEqualTo("graph");
    assertThat(one("MATCH (n) RETURN count(n)")).isEqualTo(0L);
  }
}
