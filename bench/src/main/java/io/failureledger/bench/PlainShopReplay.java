package io.failureledger.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.bench.OrderStatements.Event;
import io.failureledger.ledger.LedgerDataSource;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Loops that run the shipped claim, the printed statements, and the shipped settle. */
final class PlainShopReplay implements Contender {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ShopWork work;

  PlainShopReplay(ShopWork work) {
    this.work = work;
  }

  @Override
  public String name() {
    return "plain claim, write, settle";
  }

  @Override
  public double rate(int rows) throws Exception {
    work.shops().empty(OrderStatements.CREATE);
    Queue<ShopConnections> connections = new ConcurrentLinkedQueue<>(work.connections());
    double rate;
    try (Ledger ledger = work.ledger();
        ShopBundle settings = new ShopBundle(ledger.url(), work.endpoint(), "none");
        HikariDataSource pool = LedgerDataSource.create(settings.settings())) {
      ledger.fillOrders(work.orders(), rows);
      int most = settings.settings().integer("batch.size");
      Thread loops =
          new Thread(
              () -> {
                try {
                  Threads.run(
                      connections.size(),
                      () -> {
                        try (ShopConnections own = connections.remove();
                            Connection connection = pool.getConnection();
                            BareLoop loop =
                                new BareLoop(connection, settings.settings(), "shopify")) {
                          loop.drain(claimed -> own.write(events(claimed), most));
                        }
                        return null;
                      });
                } catch (Exception e) {
                  throw new IllegalStateException("a loop failed", e);
                }
              },
              "loops");
      loops.start();
      rate = ledger.rateOfSettling(rows);
      loops.join();
      ledger.refuseRows("status <> 'resolved'");
    }
    work.shops().perTransaction(work.orders().orders(rows));
    return rate;
  }

  private static List<Event> events(List<BareLoop.Row> rows) throws JsonProcessingException {
    List<Event> events = new ArrayList<>(rows.size());
    for (BareLoop.Row row : rows) {
      Map<String, String> headers = new HashMap<>();
      for (JsonNode header : JSON.readTree(row.headers())) {
        headers.put(header.get("name").textValue(), header.get("value").textValue());
      }
      events.add(
          new Event(
              headers.get("X-Shopify-Shop-Domain"),
              row.eventId(),
              headers.get("X-Shopify-Triggered-At"),
              row.body()));
    }
    return events;
  }
}
