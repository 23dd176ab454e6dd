package io.failureledger.pubsub;

import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How to reach Pub/Sub.
 *
 * @param emulator host:port of an emulator, spoken to in plain text; empty is Google's own service
 * @param credentials {@code application-default}, {@code none}, or a service account's key file
 */
record PubSubAccess(String emulator, String credentials) {

  TransportChannelProvider subscriberChannels() {
    InstantiatingGrpcChannelProvider.Builder channels =
        SubscriberStubSettings.defaultGrpcTransportProviderBuilder()
            .setMaxInboundMessageSize(20 << 20);
    if (!emulator.isEmpty()) {
      channels.setEndpoint(emulator).setChannelConfigurator(ManagedChannelBuilder::usePlaintext);
    }
    return channels.build();
  }

  CredentialsProvider credentialsProvider() throws IOException {
    if (credentials.equals("none") || !emulator.isEmpty()) {
      return NoCredentialsProvider.create();
    }
    if (credentials.equals("application-default")) {
      return FixedCredentialsProvider.create(GoogleCredentials.getApplicationDefault());
    }
    try (InputStream key = Files.newInputStream(Path.of(credentials))) {
      return FixedCredentialsProvider.create(ServiceAccountCredentials.fromStream(key));
    }
  }

  Subscriber.Builder on(Subscriber.Builder builder) throws IOException {
    return builder
        .setChannelProvider(subscriberChannels())
        .setCredentialsProvider(credentialsProvider());
  }

  SubscriptionAdminSettings adminSettings() throws IOException {
    return SubscriptionAdminSettings.newBuilder()
        .setTransportChannelProvider(subscriberChannels())
        .setCredentialsProvider(credentialsProvider())
        .build();
  }
}
