package io.failureledger.replay;

import io.failureledger.feed.Feed;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A window for each feed, made when it is first asked for. */
final class ReplayWindows implements AutoCloseable {
  private final ReplaySettings settings;
  private final Map<String, ReplayWindow> windows = new ConcurrentHashMap<>();

  ReplayWindows(ReplaySettings settings) {
    this.settings = settings;
  }

  ReplayWindow of(Feed feed) {
    return windows.computeIfAbsent(
        feed.name(),
        name ->
            new ReplayWindow(
                feed,
                settings.batchSize(),
                settings.batchBytes(),
                settings.parallelism(),
                settings.patience()));
  }

  Collection<ReplayWindow> all() {
    return windows.values();
  }

  @Override
  public void close() {
    windows.values().forEach(ReplayWindow::close);
  }
}
