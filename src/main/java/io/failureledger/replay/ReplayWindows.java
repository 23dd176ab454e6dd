package io.failureledger.replay;

import io.failureledger.feeds.Feed;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

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

  /** Feeds whose handlers do not end, too many of them for more to be claimed here. */
  Map<String, ReplayWindow> stuck() {
    return windows.entrySet().stream()
        .filter(window -> window.getValue().isStuck())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public void close() {
    windows.values().forEach(ReplayWindow::close);
  }
}
