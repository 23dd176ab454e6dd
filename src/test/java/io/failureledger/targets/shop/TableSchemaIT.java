package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.ORDER;
import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.orderOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.targets.shop.databases.ShopTargets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of a target that are absent, older than their description, or the target's own. */
class TableSchemaIT extends SnapshotsOnPostgres {
  private static final String AT = "2026-03-02T08:00:00Z";
  private static final String LATER = "2026-03-02T09:00:00Z";

  /** The columns that guard a row, as a target may have made them itself. */
  private static final String GUARD =
      "shop_domain text, id bigint, source_time timestamptz, triggered_at timestamptz, deleted_at timestamptz";

  private ShopTargets own;
  private Handlers fresh;

  /** An instance that has not looked at any table yet. */
  @BeforeEach
  void restart() throws Exception {
    if (own != null) {
      stopIt();
    }
    own = postgres.targets(System::nanoTime);
    fresh = TargetPostgres.handlers(own);
  }

  @AfterEach
  void stopIt() {
    fresh.close();
    own.close();
  }

  private static void run(String... statements) throws SQLException {
    TargetPostgres.run(target, statements);
  }

  private String write(String updatedAt, int price, Long... items) throws Exception {
    return fresh.reason(
        orderOf(ORDER, updatedAt, price, List.of(items)), headers("orders/updated", SHOP));
  }

  private void refuses(String sentence) {
    assertThatThrownBy(() -> write(LATER, 2, 1L))
        .isInstanceOf(IncompatibleColumnException.class)
        .hasMessage(sentence);
  }

  @Test
  void aColumnThatTheDescriptionNamesIsAddedToATableOfAnOlderVersion() throws Exception {
    assertThat(write(AT, 1, 1L)).isNull();
    run(
        "alter table orders drop column customer_id, drop column event_id",
        "alter table order_line_items drop column sku");
    restart();
    assertThat(write(LATER, 2, 1L, 2L)).isNull();
    assertThat(one("select customer_id is null and event_id is not null from orders"))
        .isEqualTo("t");
    assertThat(one("select string_agg(sku, ' ' order by id) from order_line_items"))
        .isEqualTo("s1 s2");
  }

  @Test
  void twoInstancesAtOnceMakeTablesAndColumnsOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (ShopTargets other = postgres.targets(System::nanoTime);
        Handlers second = TargetPostgres.handlers(other)) {
      for (int round = 0; round < 6; round++) {
        if (round % 2 == 0) {
          noTables();
        } else {
          run("alter table orders drop column name, drop column customer_id");
        }
        List<Future<String>> done = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          Handlers instance = i % 2 == 0 ? fresh : second;
          byte[] body = orderOf(i, AT, 1, List.of(1L, 2L));
          done.add(threads.submit(() -> instance.reason(body, headers("orders/paid", SHOP))));
        }
        for (Future<String> one : done) {
          assertThat(one.get()).isNull();
        }
        assertThat(one("select count(*) from orders")).isEqualTo("16");
        assertThat(one("select count(*) from order_line_items")).isEqualTo("32");
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void anIncompatibleColumnIsToldAndAfterItsCorrectionTheSameEventIsWritten() throws Exception {
    assertThat(write(AT, 1, 1L)).isNull();
    run(
        "alter table orders alter column total_price type double precision",
        "alter table order_line_items alter column sku type integer using null",
        "alter table orders drop column name");
    restart();
    refuses(
        "The column total_price of the table orders is of type double precision; wanted is number (numeric)."
            + " The column sku of the table order_line_items is of type integer; wanted is text (text).");
    assertThat(
            one(
                "select count(*) from pg_attribute where attrelid = 'orders'::regclass and attname = 'name'"))
        .isEqualTo("0");
    run(
        "alter table orders alter column total_price type numeric",
        "alter table order_line_items alter column sku type text");
    assertThat(write(LATER, 2, 1L)).isNull();
    assertThat(one("select sku from order_line_items")).isEqualTo("s1");
  }

  @Test
  void aTypeThatIsChangedWhileTheInstanceRunsIsToldToo() throws Exception {
    assertThat(write(AT, 1, 1L)).isNull();
    run("alter table order_line_items alter column sku type integer using null");
    refuses(
        "The column sku of the table order_line_items is of type integer; wanted is text (text).");
    run("alter table order_line_items alter column sku type varchar(30)");
    assertThat(write(LATER, 2, 1L)).isNull();
  }

  @Test
  void aTableWithoutAUniqueIndexOnItsKeyIsToldWithItsKey() throws Exception {
    assertThat(write(AT, 1, 1L)).isNull();
    run("alter table orders drop constraint orders_pkey");
    String sentence =
        "The table orders has no unique index on its key (shop_domain, id); one without a condition is wanted.";
    refuses(sentence);
    run("create unique index partly on orders (shop_domain, id) where id > 0");
    refuses(sentence);
    run("create unique index whole on orders (id, shop_domain) include (name)");
    assertThat(write(LATER, 2, 1L)).isNull();
    run(
        "drop table orders",
        "create table orders (shop_domain text, id bigint generated always as identity)");
    refuses(
        "The column id of the table orders is generated by the target, and must be written; wanted is a plain one. "
            + sentence);
    run("drop table orders", "create table orders (id bigint primary key)");
    refuses(
        "The column shop_domain of the table orders is missing, and it is part of the key; wanted is text (text).");
    run("drop table orders", "create sequence orders");
    refuses("The target's orders is no table that rows can be written to.");
    run("drop sequence orders");
  }

  @Test
  void whatTheTargetMadeItselfStays() throws Exception {
    run(
        "create table orders ("
            + GUARD
            + ", total_price numeric(20, 4), name text generated always as ('#' || id) stored, region text not null default 'eu',"
            + " changes int not null default 0, primary key (shop_domain, id))",
        """
        create or replace function count_changes() returns trigger language plpgsql as
          $$ begin new.changes := new.changes + 1; return new; end $$""",
        "create trigger count_changes before update on orders for each row execute function count_changes()",
        "create domain sku as varchar(20)",
        "create domain shop_sku as sku",
        "create table order_line_items (shop_domain text, order_id numeric, id int, sku shop_sku,"
            + " price numeric, cents numeric generated always as (price * 100) stored,"
            + " grams bigint generated always as identity, primary key (id, order_id, shop_domain))");
    assertThat(write(AT, 1, 1L, 2L)).isNull();
    run("update orders set region = 'us'");
    assertThat(write(LATER, 2, 2L)).isNull();
    assertThat(one("select concat_ws(' ', name, region, changes, total_price) from orders"))
        .isEqualTo("#" + ORDER + " us 2 2.0000");
    assertThat(one("select concat_ws(' ', id, sku, cents) from order_line_items"))
        .isEqualTo("2 s2 200.00");
    run("drop table orders, order_line_items", "drop domain shop_sku", "drop domain sku");
    run("drop function count_changes");
  }

  @Test
  void aColumnOfTheTargetThatMustBeFilledIsTheDatabasesOwnFailure() throws Exception {
    assertThat(write(AT, 1)).isNull();
    run("delete from orders", "alter table orders add column region text not null");
    assertThatThrownBy(() -> write(LATER, 2))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23502"))
        .hasMessageContaining("region");
    run("alter table orders alter column region set default 'eu'");
    assertThat(write(LATER, 2)).isNull();
  }

  @Test
  void rowsThatTheTargetHadBeforeHaveNoSourceTimeAndLose() throws Exception {
    run(
        "create table orders (shop_domain text, id bigint, total_price numeric, primary key (shop_domain, id))",
        "insert into orders values ('%s', %d, 0.50)".formatted(SHOP, ORDER));
    assertThat(write(AT, 1)).isNull();
    assertThat(one("select total_price || ' ' || (source_time is not null) from orders"))
        .isEqualTo("1.00 true");
  }

  @Test
  void aPartitionedTableIsWrittenToWhenItsKeyIsUnique() throws Exception {
    run(
        "create table orders ("
            + GUARD
            + ", primary key (shop_domain, id)) partition by hash (shop_domain)",
        "create table orders_0 partition of orders for values with (modulus 2, remainder 0)",
        "create table orders_1 partition of orders for values with (modulus 2, remainder 1)");
    assertThat(write(AT, 1, 1L)).isNull();
    assertThat(write(LATER, 2, 2L)).isNull();
    assertThat(write(AT, 1, 1L)).isEqualTo("superseded");
    assertThat(one("select total_price from orders")).isEqualTo("2.00");
    run(
        "drop table orders",
        "create table orders ("
            + GUARD
            + ", created_at timestamptz) partition by range (created_at)");
    refuses(
        "The table orders has no unique index on its key (shop_domain, id); one without a condition is wanted.");
  }

  @Test
  void aTableIsFoundAndMadeWhereTheSearchPathSays() throws Exception {
    assertThat(write(AT, 1, 1L)).isNull();
    run("create schema shop", "alter role acme set search_path = shop, public");
    try {
      restart();
      assertThat(write(LATER, 2, 1L)).isNull();
      assertThat(one("select to_regclass('shop.orders') is null")).isEqualTo("t");
      run("alter role acme set search_path = shop");
      restart();
      assertThat(write(AT, 3, 1L)).isNull();
      assertThat(one("select total_price from shop.orders")).isEqualTo("3.00");
      assertThat(one("select total_price from public.orders")).isEqualTo("2.00");
    } finally {
      run("alter role acme reset search_path", "drop schema shop cascade");
    }
  }

  @Test
  void aMissingRightToCreateTablesIsTheDatabasesOwnFailureUntilItIsGranted() throws Exception {
    run("alter role acme nosuperuser");
    try {
      assertThatThrownBy(() -> write(AT, 1))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
      run("grant create on schema public to acme");
      assertThat(write(AT, 1)).isNull();
    } finally {
      run("alter role acme superuser", "revoke create on schema public from acme");
    }
  }

  /** {@code citext} is of an extension, whose schema may be any. */
  @Test
  void aTextThatMindsNoCaseIsAText() throws Exception {
    run(
        "create extension citext",
        "create table orders ("
            + GUARD
            + ", name citext, snapshot jsonb, primary key (shop_domain, id))");
    try {
      assertThat(write(AT, 1)).isNull();
      assertThat(one("select snapshot ->> 'total_price' from orders")).isEqualTo("1.00");
    } finally {
      run("drop extension citext cascade");
    }
  }
}
