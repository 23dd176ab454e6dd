package io.failureledger.embedded.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.Subscription;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, held by the embedded emulator. */
class PubSubContractTest extends PubSubContract {

  private static PubSubService pubsub;

  @BeforeAll
  static void start() {
    pubsub = PubSubService.start(ServiceOptions.temporary());
  }

  @AfterAll
  static void stop() {
    pubsub.close();
  }

  @Override
  String endpoint() {
    return pubsub.endpoint();
  }

  @Override
  Set<Feature> missing() {
    return Set.of();
  }

  @Test
  void seededResourcesAreThereWhenThePortOpens() throws Exception {
    PubSubSeed seed =
        PubSubSeed.parse(List.of("projects/p/topics/seeded=projects/p/subscriptions/seeded"));
    try (PubSubService seeded = PubSubService.start(ServiceOptions.temporary(), seed);
        PubSubClients clients = PubSubClients.connect(seeded.endpoint())) {
      Subscription found =
          clients.subscriptions().getSubscription("projects/p/subscriptions/seeded");
      assertThat(found.getTopic()).isEqualTo("projects/p/topics/seeded");
      assertThat(seeded.unacknowledged(found.getName())).isZero();
    }
  }
}
