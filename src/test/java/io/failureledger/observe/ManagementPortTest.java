package io.failureledger.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.FreePort;
import io.failureledger.settings.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagementPortTest {

  @TempDir private Path home;

  private Main main(int port) throws Exception {
    Files.writeString(
        home.resolve("application.properties"),
        "ledger.url=jdbc:postgresql://db/ledger\nledger.username=u\nmanagement.port="
            + port
            + "\n");
    Main main = new Main();
    main.setDefaultPropertyPlaceholderLocation("false");
    ManagementPort.configure(main, Settings.load(home, new Properties()));
    return main;
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void healthAndMetricsAreServedOnTheOnePort() throws Exception {
    int port = FreePort.find();
    Main main = main(port);
    try {
      main.start();
      assertThat(get(port, "/observe/health/live").statusCode()).isEqualTo(200);
      assertThat(get(port, "/observe/health/ready").statusCode()).isEqualTo(200);
      assertThat(get(port, "/observe/metrics").body())
          .contains(
              "jvm_memory_used_bytes", "jvm_gc_", "jvm_threads_live_threads", "process_cpu_usage");
      assertThat(get(port, "/q/dev").statusCode()).isEqualTo(404);
    } finally {
      main.stop();
    }
  }

  @Test
  void aPortInUseRefusesTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Main main = main(taken.getLocalPort());
      assertThatThrownBy(main::start)
          .hasStackTraceContaining(
              "the management port 127.0.0.1:" + taken.getLocalPort() + " cannot be opened");
      main.stop();
    }
  }
}
