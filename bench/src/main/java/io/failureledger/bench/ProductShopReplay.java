package io.failureledger.bench;

/** The product drains due rows of the feed {@code shopify}. */
final class ProductShopReplay implements Contender {
  private final ShopWork work;

  ProductShopReplay(ShopWork work) {
    this.work = work;
  }

  @Override
  public String name() {
    return "product";
  }

  @Override
  public double rate(int rows) throws Exception {
    work.shops().empty();
    double rate;
    try (Ledger ledger = work.ledger();
        ShopBundle bundle = new ShopBundle(ledger.url(), work.endpoint(), "none")) {
      ledger.fillOrders(work.orders(), rows);
      bundle.start();
      rate = ledger.rateOfSettling(rows);
      ledger.refuseRows("status <> 'resolved'");
    }
    work.shops().perTransaction(work.orders().orders(rows));
    return rate;
  }
}
