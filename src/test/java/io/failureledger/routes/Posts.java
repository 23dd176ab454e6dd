package io.failureledger.routes;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.camel.Exchange;

/** Stands in for the step of post-json-sink: keeps what it is to post, and posts nothing. */
public final class Posts {
  /** One that was wanted. */
  record Post(String url, String deadline, String body, Object key) {}

  final List<Post> made = new ArrayList<>();

  /** What the next posts fail with. */
  final Queue<String> failures = new ArrayDeque<>();

  /** As the kamelet calls it. */
  public void post(Exchange exchange, String url, String deadline) throws IOException {
    made.add(
        new Post(
            url,
            deadline,
            exchange.getMessage().getBody(String.class),
            exchange.getMessage().getHeader("idempotency-key")));
    if (!failures.isEmpty()) {
      throw new IOException(failures.remove());
    }
  }
}
