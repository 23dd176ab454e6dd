package io.failureledger.pubsub;

import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.pubsub.v1.GetSubscriptionRequest;
import io.failureledger.feeds.SourceCheck;
import java.io.IOException;
import org.threeten.bp.Duration;

/** Is the subscription there? The consumer itself would end its loop and look started. */
public record PubSubSourceCheck(PubSubAccess access, String subscription) implements SourceCheck {
  @Override
  public void check() throws Exception {
    try (SubscriptionAdminClient admin = SubscriptionAdminClient.create(access.adminSettings())) {
      admin
          .getSubscriptionCallable()
          .call(
              GetSubscriptionRequest.newBuilder().setSubscription(subscription).build(),
              GrpcCallContext.createDefault().withTimeout(Duration.ofSeconds(10)));
    } catch (NotFoundException e) {
      throw new IOException("the Pub/Sub subscription " + subscription + " does not exist");
    } catch (ApiException e) {
      throw new IOException(
          "Pub/Sub cannot be asked for subscription "
              + subscription
              + " ("
              + e.getStatusCode().getCode()
              + ")",
          e);
    }
  }
}
