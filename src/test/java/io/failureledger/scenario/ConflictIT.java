package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A ledger whose database makes transactions serializable by default, and whose statements meet
 * others all the time: every one is tried again in place, and nothing stops, is lost or is
 * returned.
 */
@Timeout(180)
class ConflictIT {
  private static final List<String> TABLES =
      List.of(
          "failed_event",
          "failed_event_content",
          "failed_event_attempt",
          "ordered_event",
          "backfill_user",
          "breaker",
          "feed_control");

  /**
   * The first statement of the bundle that changes a table meets another one, then every fiftieth.
   */
  private static void conflicts(Site site) {
    site.ledger.run(
        "alter database " + site.name + " set default_transaction_isolation = 'serializable'");
    site.ledger.run("set default_transaction_isolation = 'read committed'");
    for (String table : TABLES) {
      site.ledger.run("create sequence met_" + table);
      site.ledger.run(
          """
          create function met_%1$s() returns trigger language plpgsql as $$ begin
            if current_setting('application_name') like 'failure-ledger/%%' then
              if current_setting('transaction_isolation') <> 'read committed' then
                raise exception 'the isolation is %%', current_setting('transaction_isolation');
              end if;
              case nextval('met_%1$s') %% 100
                when 1 then raise exception 'met' using errcode = '40P01';
                when 51 then raise exception 'met' using errcode = '40001';
                else null;
              end case;
            end if;
            return null;
          end $$"""
              .formatted(table));
      site.ledger.run(
          "create trigger met before insert or update or delete on %1$s for each statement execute function met_%1$s()"
              .formatted(table));
    }
  }

  private static void makeDue(Site site) {
    site.ledger.run(
        "update failed_event set next_retry_at = now() where status = 'pending' and next_retry_at < 'infinity'");
  }

  @Test
  void everyStatementThatMeetsAnotherIsTriedAgainInPlace() {
    try (Site site =
            new Site("probe")
                .withKafka(1)
                .set("probe.order", "subject")
                .set("policy.probe.terminal", "java.lang.NumberFormatException")
                .set("breaker.share", "0");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"));
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"));
        Operator operator = new Operator(site, "probe")) {
      conflicts(site);
      site.probe.order(ProbeHandler.FAIL);
      site.startConsuming();
      for (int i = 0; i < 6; i++) {
        topic.send("ordered", "a" + i);
        topic.send(topic.record(null, KafkaTopic.bytes("b" + i)));
      }
      ProducerRecord<byte[], byte[]> waiting = retries.record(null, KafkaTopic.bytes("c"));
      waiting.headers().add("event-id", KafkaTopic.bytes("c"));
      retries.send(waiting);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("true") == 13);
      await()
          .atMost(60, SECONDS)
          .until(() -> retries.committed(site.get("probe.group") + "-retry") == 1);

      site.probe.order(ProbeHandler.SUCCEED);
      makeDue(site);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 13);

      site.probe.order(
          exchange -> {
            throw new ConnectException("refused");
          });
      topic.send(topic.record(null, KafkaTopic.bytes("d")));
      await().atMost(60, SECONDS).until(() -> site.ledger.count("error_class = 'pause'") == 1);
      await()
          .atMost(60, SECONDS)
          .until(() -> !site.ledger.rows("select from breaker where failures = 1").isEmpty());

      site.probe.order(
          exchange -> {
            throw new NumberFormatException("twelve");
          });
      topic.send(topic.record(null, KafkaTopic.bytes("{\"user_id\":\"u1\"}")));
      await().atMost(60, SECONDS).until(() -> deadLetters.all().size() == 1);
      await()
          .atMost(60, SECONDS)
          .until(() -> !site.ledger.rows("select from backfill_user").isEmpty());
      await().atMost(60, SECONDS).until(() -> site.ledger.count("dead_letter_due") == 0);

      assertThat(operator.says("feed", "pause", "probe")).as(operator.heard()).isZero();

      for (String table : TABLES) {
        assertThat(site.ledger.<Boolean>value("select is_called from met_" + table))
            .as(table + " met another statement")
            .isTrue();
      }
      assertThat(site.ledger.count("claims > 1 or occurrences > 1")).isZero();
      assertThat(site.counted("failure_ledger_events_returned_total")).isZero();
      assertThat(site.counted("failure_ledger_route_restarts_total")).isZero();
      assertThat(site.counted("persist_retry_publish_failure_total")).isZero();
      assertThat(retries.all()).hasSize(1);
      assertThat(deadLetters.all()).hasSize(1);
    }
  }
}
