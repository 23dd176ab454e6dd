package io.failureledger.targets.graph;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.targets.ClassPathText;
import io.failureledger.targets.shop.Bodies;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.exceptions.ServiceUnavailableException;

class ReceiptGraphTest {
  /** Than the driver's own limits, half a minute and more. The time-out here is 2 s. */
  private static final Duration MUCH_SOONER = Duration.ofSeconds(20);

  private static void failsWithin(Duration bound, String uri, Path certificate) {
    Receipt receipt =
        ReceiptReader.read(
            Bodies.receipt("r1", "u1", "2026-03-01T10:00:00Z", "p1"), Bodies.BELIEVING);
    try (ReceiptGraph away =
        new ReceiptGraph(
            uri,
            "",
            "",
            Duration.ofSeconds(2),
            certificate,
            InstantSource.system(),
            Bodies.TOLERANCE)) {
      long start = System.nanoTime();
      assertThatThrownBy(() -> away.merge(receipt)).isInstanceOf(ServiceUnavailableException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(bound);
    }
  }

  @Test
  void aRefusedPortFailsWithinTheTimeout() {
    failsWithin(MUCH_SOONER, "bolt://localhost:1", null);
  }

  @Test
  void aSilentServerFailsWithinTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      failsWithin(MUCH_SOONER, "bolt://localhost:" + silent.getLocalPort(), null);
    }
  }

  @Test
  void aCertificateOfItsOwnGoesWithEveryScheme() {
    Path certificate = Path.of("src/test/resources/graph/ca.pem");
    for (String scheme : List.of("bolt", "bolt+s", "neo4j+s", "neo4j+ssc")) {
      failsWithin(MUCH_SOONER, scheme + "://localhost:1", certificate);
    }
  }

  @Test
  void theStatementKeepsToWhatNeptuneTakes() {
    assertThat(
            ClassPathText.of("cypher/merge-receipt.cypher")
                .replaceAll("//.*", "")
                .toLowerCase(ROOT))
        .doesNotContain("apoc", "foreach", "call", "exists {", "datetime(", "constraint");
  }
}
