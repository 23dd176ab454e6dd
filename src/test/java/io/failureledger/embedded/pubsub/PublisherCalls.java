package io.failureledger.embedded.pubsub;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.DeleteTopicRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PublisherGrpc.PublisherImplBase;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import io.grpc.stub.StreamObserver;

/** Google's Publisher service. Lists come in one page. */
final class PublisherCalls extends PublisherImplBase {

  private static final int MAXIMUM_MESSAGES = 1_000;
  private static final int MAXIMUM_BYTES = 10_000_000;
  private static final int MAXIMUM_KEY_BYTES = 1_024;

  private final Broker broker;

  PublisherCalls(Broker broker) {
    this.broker = broker;
  }

  @Override
  public void createTopic(Topic request, StreamObserver<Topic> response) {
    Call.answer(response, () -> broker.createTopic(request));
  }

  @Override
  public void getTopic(GetTopicRequest request, StreamObserver<Topic> response) {
    Call.answer(response, () -> broker.topic(request.getTopic()).topic());
  }

  @Override
  public void deleteTopic(DeleteTopicRequest request, StreamObserver<Empty> response) {
    Call.answer(
        response,
        () -> {
          broker.deleteTopic(request.getTopic());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> response) {
    ListTopicsResponse.Builder list = ListTopicsResponse.newBuilder();
    String prefix = request.getProject() + "/";
    broker.topics().stream()
        .map(TopicFeed::topic)
        .filter(topic -> topic.getName().startsWith(prefix))
        .forEach(list::addTopics);
    Call.answer(response, list::build);
  }

  @Override
  public void listTopicSubscriptions(
      ListTopicSubscriptionsRequest request,
      StreamObserver<ListTopicSubscriptionsResponse> response) {
    Call.answer(
        response,
        () -> {
          ListTopicSubscriptionsResponse.Builder list = ListTopicSubscriptionsResponse.newBuilder();
          broker.topic(request.getTopic()).queues().stream()
              .map(queue -> queue.subscription().getName())
              .forEach(list::addSubscriptions);
          return list.build();
        });
  }

  @Override
  public void publish(PublishRequest request, StreamObserver<PublishResponse> response) {
    Call.answer(
        response,
        () -> {
          check(request);
          return PublishResponse.newBuilder()
              .addAllMessageIds(broker.publish(request.getTopic(), request.getMessagesList()))
              .build();
        });
  }

  private static void check(PublishRequest request) {
    if (request.getMessagesCount() == 0 || request.getMessagesCount() > MAXIMUM_MESSAGES) {
      throw Refusal.invalid("A publish request must have 1 to 1000 messages.");
    }
    if (request.getSerializedSize() > MAXIMUM_BYTES) {
      throw Refusal.invalid("Request payload size exceeds the limit: 10000000 bytes.");
    }
    for (PubsubMessage message : request.getMessagesList()) {
      if (message.getData().isEmpty() && message.getAttributesCount() == 0) {
        throw Refusal.invalid("A message must have data or attributes.");
      }
      if (message.getOrderingKeyBytes().size() > MAXIMUM_KEY_BYTES) {
        throw Refusal.invalid("The ordering key exceeds 1024 bytes.");
      }
    }
  }
}
