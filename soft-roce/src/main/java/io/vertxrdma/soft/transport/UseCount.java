package io.vertxrdma.soft.transport;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what lives on an object, so that it can't be closed under its users; device lock held. */
final class UseCount {

  private final String owner;
  private final Map<String, Integer> users = new TreeMap<>();
  private boolean closed;

  UseCount(String owner) {
    this.owner = owner;
  }

  /**
   * Checks that users may be added.
   *
   * @throws IllegalStateException when the owner is closed
   */
  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(owner + " is closed");
    }
  }

  /**
   * Adds a user.
   *
   * @param kind what it is, in the plural
   * @throws IllegalStateException when the owner is closed
   */
  void acquire(String kind) {
    requireOpen();
    users.merge(kind, 1, Integer::sum);
  }

  void release(String kind) {
    users.computeIfPresent(kind, (key, count) -> count == 1 ? null : count - 1);
  }

  /**
   * From here on nothing can be added.
   *
   * @throws IllegalStateException when there are users left, saying how many of which kind
   */
  void close() {
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
}
