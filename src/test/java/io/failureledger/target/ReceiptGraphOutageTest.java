package io.failureledger.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.exceptions.ServiceUnavailableException;

class ReceiptGraphOutageTest {
  private static void failsWithin(Duration bound, String uri) {
    Receipt receipt = ReceiptReader.read(Bodies.receipt("r1", "u1", "2026-03-01T10:00:00Z", "p1"));
    try (ReceiptGraph away = new ReceiptGraph(uri, "", "", Duration.ofSeconds(2), null)) {
      long start = System.nanoTime();
      assertThatThrownBy(() -> away.merge(receipt)).isInstanceOf(ServiceUnavailableException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(bound);
    }
  }

  @Test
  void aRefusedPortFailsWithinTheTimeout() {
    failsWithin(Duration.ofSeconds(3), "bolt://localhost:1");
  }

  @Test
  void aSilentServerFailsWithinTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      failsWithin(Duration.ofSeconds(3), "bolt://localhost:" + silent.getLocalPort());
    }
  }
}
