package io.failureledger.scenario;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.Exchange;

/**
 * A target: a table in the site's database with one row for each effect, so that bundles in this
 * process and in others write to the same one.
 */
record EffectTable(Site site) {
  /** Creates the table. */
  static EffectTable of(Site site) {
    site.ledger.run(
        "create table effect (key text not null, instance text not null, happened timestamptz not null)");
    return new EffectTable(site);
  }

  /** What a handler does: one effect under the event's idempotency key, committed on its own. */
  static void write(Exchange exchange) throws SQLException {
    DataSource target =
        exchange.getContext().getRegistry().lookupByNameAndType("ledger", DataSource.class);
    String instance = exchange.getContext().resolvePropertyPlaceholders("{{instance.name}}");
    try (Connection connection = target.getConnection();
        PreparedStatement effect =
            connection.prepareStatement(
                "insert into effect (key, instance, happened) values (?, ?, now())")) {
      effect.setString(1, exchange.getMessage().getHeader("idempotency-key", String.class));
      effect.setString(2, instance);
      effect.executeUpdate();
    }
  }

  long count() {
    return site.ledger.<Long>value("select count(*) from effect");
  }

  /** Keys with more than one effect. */
  List<String> doubles() {
    return strings("select key from effect group by key having count(*) > 1");
  }

  /** Who wrote effects under this key, in the order of their writing. */
  List<String> writersOf(String key) {
    return site
        .ledger
        .rows("select instance from effect where key = ? order by happened", key)
        .stream()
        .map(row -> (String) row.get("instance"))
        .toList();
  }

  List<String> writers() {
    return strings("select distinct instance from effect order by 1");
  }

  private List<String> strings(String sql) {
    return site.ledger.rows(sql).stream()
        .map(row -> (String) row.values().iterator().next())
        .toList();
  }
}
