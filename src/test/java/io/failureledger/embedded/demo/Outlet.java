package io.failureledger.embedded.demo;

import java.util.List;

/** Where events are published; returns once the broker has taken all of them. */
interface Outlet extends AutoCloseable {
  void publish(List<DemoEvent> events);

  @Override
  void close();
}
