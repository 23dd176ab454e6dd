package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler is told when its event was first received, whatever befell the event since. */
@Timeout(120)
class FirstReceiptIT {
  @Test
  void aReplayIsToldTheFirstReceiptOfAnEventThatWaitedOnTheRetryTopic() {
    List<String> told = new CopyOnWriteArrayList<>();
    try (Site site = new Site("probe").withKafka(1).asRunner();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            told.add(String.valueOf(exchange.getMessage().getHeader("received-at")));
            throw new IllegalStateException("the target is down");
          });
      site.start();
      topic.send("warm-up", "{}");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("true") == 1);
      Outage.RIGHT_REVOKED.begin(site);
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 2);
      String during = site.ledger.value("select clock_timestamp()::text");
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("true") == 2);
      site.ledger.run("update failed_event set next_retry_at = now() where id > 1");
      await().atMost(30, SECONDS).until(() -> told.size() == 3);
      assertThat(told.get(1)).isNotEqualTo("null");
      assertThat(told.get(2)).isEqualTo(told.get(1));
      assertThat(
              site.ledger.<Boolean>value(
                  "select ?::timestamptz between f.created_at - interval '1 minute' and ?::timestamptz"
                      + " from failed_event f order by id limit 1",
                  told.get(1),
                  during))
          .isTrue();
    }
  }
}
