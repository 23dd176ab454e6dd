package io.failureledger.scenario;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An HTTP server whose answers have no end. A request says which by a word in its body: what it
 * does, it does until the client hangs up.
 */
final class HostileEndpoint implements AutoCloseable {
  /** Words whose answer never ends before its status is known. */
  static final List<String> NO_STATUS = List.of("silent", "slow-headers", "interim");

  /** Words whose answer is a 503 with a body that never ends. */
  static final List<String> NO_END = List.of("slow-error", "huge-error");

  /** Words whose answer is a 200, with a body that never ends but for the last. */
  static final List<String> GOOD = List.of("slow-ok", "huge-ok", "fine");

  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  private static final byte[] MEBIBYTE = new byte[1 << 20];

  private final ServerSocket server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Set<String> hungUp = ConcurrentHashMap.newKeySet();
  private final AtomicLong written = new AtomicLong();

  HostileEndpoint() {
    try {
      server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  String url() {
    return "http://localhost:" + server.getLocalPort();
  }

  /** Each request, head and body, in the order in which they came. */
  List<String> requests() {
    return requests;
  }

  /** The words whose client hung up. */
  Set<String> hungUp() {
    return hungUp;
  }

  /** Bytes of all answers that the clients' machines took. */
  long written() {
    return written.get();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "hostile-endpoint");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    String word = "none";
    try (client) {
      String request = read(client.getInputStream());
      requests.add(request);
      word = word(request);
      answer(word, client.getOutputStream());
    } catch (IOException hung) {
      hungUp.add(word);
    }
  }

  private static String word(String request) {
    return List.of(NO_STATUS, NO_END, GOOD).stream()
        .flatMap(List::stream)
        .filter(word -> request.contains("\"" + word + "\""))
        .findFirst()
        .orElse("fine");
  }

  private static String read(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    while (request.indexOf("\r\n\r\n") < 0) {
      request.append((char) readByte(in));
    }
    String head = request.toString();
    int length = Integer.parseInt(head.replaceAll("(?is).*content-length: *(\\d+).*", "$1"));
    return head + new String(in.readNBytes(length), ISO_8859_1);
  }

  private static int readByte(InputStream in) throws IOException {
    int value = in.read();
    if (value < 0) {
      throw new IOException("the client hung up");
    }
    return value;
  }

  private void answer(String word, OutputStream out) throws IOException {
    switch (word) {
      case "silent" -> drip(out, "");
      case "slow-headers" -> {
        write(out, "HTTP/1.1 200 OK\r\nX-Slow: ");
        drip(out, "x");
      }
      case "interim" -> drip(out, "HTTP/1.1 102 Processing\r\n\r\n");
      case "slow-error" -> {
        write(out, "HTTP/1.1 503 Away\r\n" + CHUNKED + "7\r\nnot now\r\n");
        drip(out, "1\r\nx\r\n");
      }
      case "slow-ok" -> {
        write(out, "HTTP/1.1 200 OK\r\n" + CHUNKED);
        drip(out, "1\r\nx\r\n");
      }
      case "huge-error" -> flood(out, "HTTP/1.1 503 Away\r\n");
      case "huge-ok" -> flood(out, "HTTP/1.1 200 OK\r\n");
      default -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    }
  }

  /** So often that no wait between two bytes ever runs out. */
  private void drip(OutputStream out, String piece) throws IOException {
    while (!server.isClosed()) {
      LockSupport.parkNanos(20_000_000);
      write(out, piece);
    }
  }

  private void flood(OutputStream out, String head) throws IOException {
    write(out, head + "Content-Length: 8000000000\r\n\r\n");
    while (!server.isClosed()) {
      out.write(MEBIBYTE);
      written.addAndGet(MEBIBYTE.length);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(ISO_8859_1));
    out.flush();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
