package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;
import java.util.ArrayList;
import java.util.List;

/** Orders of Shopify from Pub/Sub, and from the ledger, into one database and into ten. */
final class ShopifyBench {
  private static final int SMALL = 2 * 1_024;
  private static final int LARGE = 50 * 1_024;

  /** The beginning of the lines that are wanted. */
  private static final String ONLY = System.getProperty("only", "");

  private final Sizes sizes;
  private final PostgresService postgres;
  private final PubSubService pubSub;
  private final Figures figures;

  private ShopifyBench(
      Sizes sizes, PostgresService postgres, PubSubService pubSub, Figures figures) {
    this.sizes = sizes;
    this.postgres = postgres;
    this.pubSub = pubSub;
    this.figures = figures;
  }

  static void run(Sizes sizes) throws Exception {
    Figures figures = new Figures("shopify", "orders and their lines into shops' databases");
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        PubSubService pubSub = PubSubService.start(ServiceOptions.temporary())) {
      ShopifyBench bench = new ShopifyBench(sizes, postgres, pubSub, figures);
      Shops one = new Shops(postgres, 1);
      Shops ten = new Shops(postgres, 10);
      bench.ingest(one, SMALL, sizes.shopEvents());
      bench.ingest(ten, SMALL, sizes.shopEvents());
      bench.ingest(one, LARGE, sizes.shopLarge());
      bench.ingest(ten, LARGE, sizes.shopLarge());
      bench.replay(ten);
    }
    figures.print();
  }

  private void ingest(Shops shops, int bytes, int events) throws Exception {
    String what = "%d x %d KB".formatted(shops.count(), bytes / 1_024);
    if (!what.startsWith(ONLY)) {
      return;
    }
    ShopWork work = new ShopWork(postgres, pubSub, shops, bytes);
    ProductShops product = new ProductShops(work);
    PlainShops plain = new PlainShops(work, work.setting("batch.size"));
    List<Contender> contenders = new ArrayList<>(List.of(product, plain));
    if (bytes == SMALL) {
      contenders.add(new PlainShops(work, 1));
    }
    contenders.add(new PullOnly(work));
    Race race = new Race(contenders.toArray(new Contender[0]));
    race.run(events, sizes.rounds(), Math.max(40, events / 2));
    figures.line(
        "%n%s: %,d events, %d connections, %d messages held by each",
        what, events, work.loops(), work.held());
    race.report(figures, what);
    figures.line(
        "events of a transaction: product %.1f, plain %.1f",
        product.perTransaction(), plain.perTransaction());
  }

  private void replay(Shops shops) throws Exception {
    String what = "replay, %d x %d KB".formatted(shops.count(), SMALL / 1_024);
    if (!what.startsWith(ONLY)) {
      return;
    }
    ShopWork work = new ShopWork(postgres, pubSub, shops, SMALL);
    int rows = sizes.shopRows();
    Race race = new Race(new ProductShopReplay(work), new PlainShopReplay(work));
    race.run(rows, 1, Math.max(40, rows / 5));
    figures.line("%n%s: %,d due rows, %d connections", what, rows, work.loops());
    race.report(figures, what);
  }
}
