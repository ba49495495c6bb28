package io.vertxrdma.core.nativeverbs;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what lives on a native object, so that it can't be destroyed under its users. */
final class UseCount {

  private final String owner;
  private final Map<String, Integer> users = new TreeMap<>();
  private boolean closed;

  UseCount(String owner) {
    this.owner = owner;
  }

  /**
   * Adds a user.
   *
   * @param kind what it is, in the plural
   * @throws IllegalStateException when the owner is closed
   */
  synchronized void acquire(String kind) {
    if (closed) {
      throw new IllegalStateException(owner + " is closed");
    }
    users.merge(kind, 1, Integer::sum);
  }

  synchronized void release(String kind) {
    users.computeIfPresent(kind, (key, count) -> count == 1 ? null : count - 1);
  }

  /** Adds a user to all of them or, when one is closed, to none. */
  static void acquireAll(Collection<UseCount> used, String kind) {
    int done = 0;
    try {
      for (UseCount count : used) {
        count.acquire(kind);
        done++;
      }
    } catch (IllegalStateException closed) {
      used.stream().limit(done).forEach(count -> count.release(kind));
      throw closed;
    }
  }

  static void releaseAll(Collection<UseCount> used, String kind) {
    used.forEach(count -> count.release(kind));
  }

  synchronized int count(String kind) {
    return users.getOrDefault(kind, 0);
  }

  /**
   * From here on nothing can be added.
   *
   * @throws IllegalStateException when there are users left, saying how many of which kind
   */
  synchronized void close() {
    if (!users.isEmpty()) {
      throw new IllegalStateException(
          owner
              + " is still in use: close its "
              + users.entrySet().stream()
                  .map(entry -> entry.getValue() + " " + entry.getKey())
                  .collect(Collectors.joining(", "))
              + " first");
    }
    closed = true;
  }

  synchronized void reopen() {
    closed = false;
  }
}
