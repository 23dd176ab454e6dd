package io.failureledger.embedded.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /admin/backfill} of the system that owns the receipts: it writes each user's receipts
 * into the graph again, from its own data. A repeat changes nothing.
 */
final class BackfillEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillEndpoint.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ReceiptOwner owner;
  private final Driver graph;
  private final String mergeReceipt;
  private final Set<String> backfilled = ConcurrentHashMap.newKeySet();

  private BackfillEndpoint(HttpServer server, ReceiptOwner owner, Driver graph) throws IOException {
    this.server = server;
    this.owner = owner;
    this.graph = graph;
    this.mergeReceipt = DemoGraph.statement("merge-receipt");
  }

  static BackfillEndpoint start(ReceiptOwner owner, Driver graph) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    BackfillEndpoint endpoint = new BackfillEndpoint(server, owner, graph);
    server.createContext("/admin/backfill", endpoint::handle);
    server.start();
    return endpoint;
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Users whose receipts were written again. */
  Set<String> backfilled() {
    return backfilled;
  }

  private void handle(HttpExchange request) throws IOException {
    try (request) {
      try {
        JsonNode wanted = JSON.readTree(request.getRequestBody().readAllBytes());
        List<String> users = new ArrayList<>();
        wanted.path("user_ids").forEach(user -> users.add(user.asText()));
        users.forEach(this::backfill);
        // Nothing reads a body of success.
        request.sendResponseHeaders(204, -1);
      } catch (IOException | RuntimeException e) {
        LOG.warn("a backfill failed", e);
        answer(request, 500, "{\"error\":\"the backfill failed\"}");
      }
    }
  }

  private void backfill(String user) {
    owner.correct(user);
    try (Session session = graph.session()) {
      for (ShopReceipt receipt : owner.of(user)) {
        session.executeWriteWithoutResult(
            transaction -> transaction.run(mergeReceipt, receipt.parameters()).consume());
      }
    }
    backfilled.add(user);
  }

  private static void answer(HttpExchange request, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    request.getResponseHeaders().set("Content-Type", "application/json");
    request.sendResponseHeaders(status, bytes.length);
    request.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
