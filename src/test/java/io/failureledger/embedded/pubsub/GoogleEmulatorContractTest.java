package io.failureledger.embedded.pubsub;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.failureledger.embedded.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The same contract, held by Google's emulator where PUBSUB_EMULATOR_JAR names its jar: so that
 * ours does not drift from theirs. Known differences of 0.8.20 are left out, see {@link #missing}.
 */
class GoogleEmulatorContractTest extends PubSubContract {

  private static final String JAR = "PUBSUB_EMULATOR_JAR";

  private static Process emulator;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    String jar = System.getenv(JAR);
    if (jar == null) {
      return;
    }
    port = FreePort.find();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    emulator =
        new ProcessBuilder(java, "-jar", jar, "--host=localhost", "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await().atMost(Duration.ofSeconds(60)).until(GoogleEmulatorContractTest::listens);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (emulator != null) {
      emulator.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static boolean listens() {
    if (!emulator.isAlive()) {
      throw new IllegalStateException("Google's emulator ended with " + emulator.exitValue());
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  String endpoint() {
    assumeTrue(
        emulator != null, JAR + " is not set: the contract is not run against Google's emulator");
    return "localhost:" + port;
  }

  @Override
  Set<Feature> missing() {
    return EnumSet.allOf(Feature.class);
  }
}
