package io.vertxrdma.soft.cm;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Bounds the requests that are not established yet, for each listener and each peer address. */
final class HalfOpen {

  private final CmOptions options;
  private final Map<CmListener, Integer> perListener = new HashMap<>();
  private final Map<InetAddress, Integer> perSource = new HashMap<>();

  HalfOpen(CmOptions options) {
    this.options = options;
  }

  boolean hasRoom(CmListener listener, InetAddress source) {
    return perListener.getOrDefault(listener, 0) < options.maxHalfOpenPerListener()
        && perSource.getOrDefault(source, 0) < options.maxHalfOpenPerSource();
  }

  /** Sources with requests that are not established yet. */
  int sources() {
    return perSource.size();
  }

  void add(CmListener listener, InetAddress source) {
    perListener.merge(listener, 1, Integer::sum);
    perSource.merge(source, 1, Integer::sum);
  }

  void remove(CmListener listener, InetAddress source) {
    perListener.computeIfPresent(listener, (key, count) -> count == 1 ? null : count - 1);
    perSource.computeIfPresent(source, (key, count) -> count == 1 ? null : count - 1);
  }
}
