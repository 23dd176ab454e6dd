package io.failureledger.embedded.pubsub;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** The errors that the emulator answers with, in Google's words. */
final class Refusal {

  private Refusal() {}

  static StatusRuntimeException notFound(String resource) {
    return Status.NOT_FOUND
        .withDescription("Resource not found (resource=" + shortName(resource) + ").")
        .asRuntimeException();
  }

  static StatusRuntimeException alreadyExists(String resource) {
    return Status.ALREADY_EXISTS
        .withDescription(
            "Resource already exists in the project (resource=" + shortName(resource) + ").")
        .asRuntimeException();
  }

  static StatusRuntimeException invalid(String why) {
    return Status.INVALID_ARGUMENT.withDescription(why).asRuntimeException();
  }

  static StatusRuntimeException unimplemented(String what) {
    return Status.UNIMPLEMENTED
        .withDescription("The embedded emulator has no " + what + ".")
        .asRuntimeException();
  }

  static StatusRuntimeException full() {
    return Status.RESOURCE_EXHAUSTED
        .withDescription("The embedded emulator holds as much as its memory allows.")
        .asRuntimeException();
  }

  private static String shortName(String resource) {
    return resource.substring(resource.lastIndexOf('/') + 1);
  }
}
