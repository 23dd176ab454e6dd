package io.failureledger.targets.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The statements of one table, as {@code shop sql} prints them. */
class TableSqlTest {
  private final ShopTable refunds = Bodies.TABLES.find("refunds").orElseThrow();
  private final TableSql sql = TableSql.of(refunds);

  @Test
  void aTableIsCreatedWithTheColumnsOfASnapshotAndAKeyThatBeginsWithTheShop() {
    assertThat(refunds.atTarget().create())
        .isEqualTo(
            """
            create table if not exists "refunds" (
              "shop_domain" text not null,
              "id" bigint not null,
              "source_time" timestamptz not null,
              "triggered_at" timestamptz,
              "deleted_at" timestamptz,
              "event_id" text,
              "order_id" bigint,
              "note" text,
              "user_id" bigint,
              "processed_at" timestamptz,
              "created_at" timestamptz,
              "snapshot" json,
              primary key ("shop_domain", "id"))""");
    assertThat(refunds.children().get(0).atTarget().create())
        .contains("primary key (\"shop_domain\", \"refund_id\", \"id\")")
        .doesNotContain("snapshot", "source_time");
  }

  @Test
  void aSnapshotIsWrittenWhenItIsNewerAndKeepsWhatItDoesNotSay() {
    assertThat(sql.upsert().text())
        .isEqualTo(
            """
            insert into "refunds" as known (
              "shop_domain", "id", "source_time", "triggered_at", "event_id", "order_id", "note", \
            "user_id", "processed_at", "created_at", "snapshot")
            values (
              :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id, :?order_id, \
            :?note, :?user_id, :?processed_at, :?created_at, cast(:?snapshot as json))
            on conflict ("shop_domain", "id") do update set
              "source_time" = excluded."source_time",
              "triggered_at" = excluded."triggered_at",
              "deleted_at" = null,
              "event_id" = excluded."event_id",
              "order_id" = case when :?event.order_id then excluded."order_id" else known."order_id" end,
              "note" = case when :?event.note then excluded."note" else known."note" end,
              "user_id" = case when :?event.user_id then excluded."user_id" else known."user_id" end,
              "processed_at" = case when :?event.processed_at then excluded."processed_at" else known."processed_at" end,
              "created_at" = case when :?event.created_at then excluded."created_at" else known."created_at" end,
              "snapshot" = excluded."snapshot"
            """
                + GUARD);
  }

  private static final String GUARD =
      """
      where known."source_time" > now() + make_interval(secs => :?clock.tolerance)
         or (excluded."source_time", excluded."deleted_at" is not null, coalesce(excluded."triggered_at", 'infinity'))
         >= (coalesce(known."source_time", '-infinity'), known."deleted_at" is not null,
             case when known."triggered_at" <= now() + make_interval(secs => :?clock.tolerance)
                  then known."triggered_at" else '-infinity' end)""";

  @Test
  void aTombstoneIsGuardedAlikeAndKeepsWhatWasKnown() {
    assertThat(sql.tombstone().text())
        .isEqualTo(
            """
            insert into "refunds" as known (
              "shop_domain", "id", "source_time", "triggered_at", "deleted_at", "event_id")
            values (
              :?shop_domain, :?id, :?source_time, :?triggered_at, :?source_time, :?event_id)
            on conflict ("shop_domain", "id") do update set
              "source_time" = excluded."source_time",
              "triggered_at" = excluded."triggered_at",
              "deleted_at" = excluded."deleted_at",
              "event_id" = excluded."event_id"
            """
                + GUARD);
  }

  @Test
  void theItemsOfAListAreReplacedByOneStatement() {
    ShopTable products = Bodies.TABLES.find("product_variants").orElseThrow();
    Set<String> others =
        Set.copyOf(
            products.children().get(0).columns().stream()
                .map(ShopColumn::name)
                .filter(name -> !name.equals("sku"))
                .toList());
    TableSql.Child variants =
        TableSql.of(products, Map.of("product_variants", others)).children().get(0);
    assertThat(variants.replace().text())
        .isEqualTo(
            """
            with item as (
              select each."sent json", fields.*
              from json_array_elements(cast(:?list.items as json)) as each("sent json")
              cross join lateral json_to_record(each."sent json") as fields("id" bigint, "sku" text)
            ), gone as (
              delete from "product_variants" as known
              where :?list.whole and known."shop_domain" = :?shop_domain and known."product_id" = :?product_id
                and (known."id") not in (select item."id" from item)
            )
            insert into "product_variants" as known (
              "shop_domain", "product_id", "id", "sku")
            select
              cast(:?shop_domain as text),
              cast(:?product_id as bigint),
              item."id",
              case when item."sent json" -> 'sku' is not null then item."sku" else cast(before."sku" as text) end
            from item
            left join lateral (
              select * from "product_variants" as known
              where known."shop_domain" = :?shop_domain and known."product_id" = :?product_id and known."id" = item."id"
              offset 0
            ) as before on true
            on conflict ("shop_domain", "product_id", "id") do update set
              "sku" = excluded."sku\"""");
    assertThat(variants.delete().text())
        .isEqualTo(
            """
            delete from "product_variants" as known
            where known."shop_domain" = :?shop_domain and known."product_id" = :?product_id""");
  }

  @Test
  void whatTheTargetMakesItselfIsInNoStatement() {
    TableSql own = TableSql.of(refunds, Map.of("refunds", Set.of("note", "snapshot")));
    assertThat(own.upsert().text()).doesNotContain("note", "snapshot").contains("user_id");
  }

  @Test
  void everyValueIsBoundInTheOrderOfTheText() {
    assertThat(sql.upsert().sql()).doesNotContain(":?").contains("?, ?, ?, ?");
    List<String> names =
        sql.tombstone().parameters().stream().map(TableSql.Parameter::name).toList();
    assertThat(names)
        .containsExactly(
            "shop_domain",
            "id",
            "source_time",
            "triggered_at",
            "source_time",
            "event_id",
            "clock.tolerance",
            "clock.tolerance");
    assertThat(sql.upsert().parameters())
        .contains(
            new TableSql.Parameter("note", ColumnType.BOOLEAN, true),
            new TableSql.Parameter("created_at", ColumnType.TIME, false));
  }
}
