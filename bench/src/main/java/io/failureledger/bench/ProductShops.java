package io.failureledger.bench;

/** The feed {@code shopify} as it is shipped. */
final class ProductShops implements Contender {
  private final ShopWork work;
  private double perTransaction;

  ProductShops(ShopWork work) {
    this.work = work;
  }

  @Override
  public String name() {
    return "product";
  }

  double perTransaction() {
    return perTransaction;
  }

  @Override
  public double rate(int size) throws Exception {
    work.shops().empty();
    double rate;
    try (Ledger ledger = work.ledger();
        Backlog backlog = work.backlog(size);
        ShopBundle bundle = new ShopBundle(ledger.url(), work.endpoint(), backlog.name())) {
      bundle.start();
      rate = backlog.rate();
      ledger.refuseRows("true");
    }
    perTransaction = work.shops().perTransaction(work.orders().orders(size));
    return rate;
  }
}
