package io.failureledger.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a running bundle says of itself on its management port. */
final class Metrics {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Metrics() {}

  /** The sum of a metric over all its tags; 0 when there is none of that name. */
  static double sum(int port, String metric) {
    return get(port, "/observe/metrics")
        .lines()
        .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  static String health(int port) {
    return get(port, "/observe/health/ready");
  }

  /** The same with what is told of checks that are up. */
  static String healthInFull(int port) {
    return get(port, "/observe/health/ready?exposureLevel=full");
  }

  private static String get(int port, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(1))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
