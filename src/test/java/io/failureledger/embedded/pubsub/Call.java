package io.failureledger.embedded.pubsub;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Answers a unary call with a value, or with the refusal that computing it threw. */
final class Call {

  private Call() {}

  static <T> void answer(StreamObserver<T> response, Supplier<T> value) {
    T answer;
    try {
      answer = value.get();
    } catch (StatusRuntimeException e) {
      response.onError(e);
      return;
    }
    response.onNext(answer);
    response.onCompleted();
  }
}
