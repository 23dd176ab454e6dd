package io.failureledger.targets;

import io.failureledger.event.Identity;
import io.failureledger.event.Text;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Exchange;
import org.apache.camel.util.TimeUtils;

/**
 * The step of {@code post-json-sink}: one call is one request, and it ends at its deadline,
 * whatever the other side does. It never waits to try again, and follows no redirect. A call that
 * is interrupted, or dies with its process, may have had its effect: a repeat has the same
 * Idempotency-Key.
 */
public final class JsonPost {
  private static final int ERROR_BYTES = 4096;

  // No idle connection older than that is used: what lies between may have forgotten it.
  private static final String KEEP_ALIVE = "jdk.httpclient.keepalive.timeout";

  /** One for all bundles of a process, made at the first post: it cannot be closed. */
  private static final class Client {
    static final HttpClient SHARED = create();

    private static HttpClient create() {
      if (System.getProperty(KEEP_ALIVE) == null) {
        System.setProperty(KEEP_ALIVE, "30");
      }
      // HTTP/2 would begin with an upgrade that not every server understands.
      return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
  }

  /**
   * Posts the body, and leaves an empty one. Returns at the status line of a 2xx.
   *
   * @param deadline for the whole call, as Camel writes durations
   * @throws PostFailedException for any other status
   * @throws SocketTimeoutException where no status came before the deadline
   */
  public void post(Exchange exchange, String url, String deadline)
      throws IOException, InterruptedException {
    URI uri = address(url);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body(exchange)));
    String key = exchange.getMessage().getHeader("idempotency-key", String.class);
    if (key != null && !key.isEmpty()) {
      request.header("Idempotency-Key", asHeader(key));
    }
    Answer answer = call(request.build(), shown(uri), deadline);
    if (!answer.succeeded()) {
      throw answer.failure(shown(uri));
    }
    exchange.getMessage().setBody("");
  }

  private static Answer call(HttpRequest request, String shown, String deadline)
      throws IOException, InterruptedException {
    AtomicReference<Answer> begun = new AtomicReference<>();
    CompletableFuture<?> call =
        Client.SHARED.sendAsync(
            request,
            info -> {
              Answer answer = new Answer(info);
              begun.set(answer);
              return answer;
            });
    IOException failed;
    try {
      call.get(TimeUtils.toMilliSeconds(deadline), TimeUnit.MILLISECONDS);
      return begun.get();
    } catch (TimeoutException late) {
      failed = new SocketTimeoutException(shown + " was not answered within " + deadline);
    } catch (ExecutionException e) {
      failed = new IOException(shown + " failed", e.getCause());
    } finally {
      call.cancel(true);
    }
    if (begun.get() == null) {
      throw failed;
    }
    // The status is what counts, and it is known.
    return begun.get();
  }

  private static URI address(String url) {
    URI uri = URI.create(url);
    if (uri.getRawUserInfo() != null) {
      // It would not be sent, and stand in every log.
      throw new IllegalArgumentException("the url of a post has a user name in it: " + shown(uri));
    }
    return uri;
  }

  /** Without what may be a secret. */
  private static String shown(URI uri) {
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return "POST " + uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath();
  }

  private static byte[] body(Exchange exchange) {
    Object body = exchange.getMessage().getBody();
    if (body == null) {
      return new byte[0];
    }
    if (body instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = exchange.getMessage().getBody(byte[].class);
    if (bytes == null) {
      throw new IllegalArgumentException("no bytes can be made of " + body.getClass().getName());
    }
    return bytes;
  }

  /** Hashed where it would not arrive as it is: two keys must never become one. */
  private static String asHeader(String key) {
    boolean plain = key.equals(key.strip()) && key.chars().allMatch(c -> c >= ' ' && c <= '~');
    return plain ? key : Identity.hashed(key);
  }

  /** The status, and when that is an error, how the body begins. */
  private static final class Answer implements BodySubscriber<Void> {
    private final int status;
    private final HttpHeaders headers;
    private final ByteArrayOutputStream start = new ByteArrayOutputStream();
    private final CompletableFuture<Void> read = new CompletableFuture<>();
    private Flow.Subscription body;

    Answer(ResponseInfo info) {
      status = info.statusCode();
      headers = info.headers();
    }

    boolean succeeded() {
      return status / 100 == 2;
    }

    PostFailedException failure(String shown) {
      String text = Text.clean(text().strip());
      return new PostFailedException(
          shown + " was answered with " + status + (text.isEmpty() ? "" : ": " + text),
          retryAfter(headers));
    }

    private synchronized String text() {
      return start.toString(StandardCharsets.UTF_8);
    }

    @Override
    public CompletionStage<Void> getBody() {
      return read;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      body = subscription;
      if (succeeded()) {
        end();
      } else {
        body.request(1);
      }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      if (keep(buffers)) {
        body.request(1);
      } else {
        end();
      }
    }

    /** False once there is enough. */
    private synchronized boolean keep(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] bytes = new byte[Math.min(buffer.remaining(), ERROR_BYTES - start.size())];
        buffer.get(bytes);
        start.write(bytes, 0, bytes.length);
      }
      return start.size() < ERROR_BYTES;
    }

    private void end() {
      body.cancel();
      read.complete(null);
    }

    @Override
    public void onError(Throwable thrown) {
      read.complete(null);
    }

    @Override
    public void onComplete() {
      read.complete(null);
    }
  }

  /**
   * The wait that an answer asks for, zero where it asks for none that can be read. A date is on
   * the other side's clock, so it counts from that side's own Date only.
   */
  private static Duration retryAfter(HttpHeaders headers) {
    String wanted = headers.firstValue("Retry-After").orElse("").strip();
    if (wanted.matches("\\d+")) {
      // Nine digits are thirty years.
      return Duration.ofSeconds(wanted.length() > 9 ? 999_999_999 : Long.parseLong(wanted));
    }
    try {
      Instant now = date(headers.firstValue("Date").orElse(""));
      return Duration.between(now, date(wanted));
    } catch (DateTimeException unreadable) {
      return Duration.ZERO;
    }
  }

  private static Instant date(String text) {
    return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip()));
  }
}
