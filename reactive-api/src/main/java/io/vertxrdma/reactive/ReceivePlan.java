package io.vertxrdma.reactive;

import io.vertxrdma.core.DeviceAttributes;

/**
 * How many receives it takes so that no peer ever waits for one: peers times window.
 *
 * <p>A peer that may have {@code window} sends or writes with immediate under way needs as many
 * receives; with less it is stopped by RNR NAKs as soon as it uses its window. Either each
 * connection posts its own, or all share a pool of the sum, see {@link SharedReceiveOptions}. A
 * plan that a device can't hold is refused before anything is built.
 *
 * <p>A receive is held until its item was handed over, also when the peer's operation has long
 * completed. What a slow subscriber leaves behind belongs to the window.
 *
 * @param peers connections at once, 1..1048576
 * @param window operations that each peer may have under way or not yet taken, 1..1048576
 */
public record ReceivePlan(int peers, int window) {

  private static final int MOST = 1 << 20;

  /** Checks the ranges, and that the product does not leave them. */
  public ReceivePlan {
    JsonValues.range("peers", peers, 1, MOST);
    JsonValues.range("window", window, 1, MOST);
    if ((long) peers * window > MOST) {
      throw new IllegalArgumentException(
          peers
              + " peers with a window of "
              + window
              + " need "
              + (long) peers * window
              + " receives, "
              + MOST
              + " are possible");
    }
  }

  /** Receives in all. */
  public int receives() {
    return peers * window;
  }

  /**
   * Sets own receives for each connection.
   *
   * @param options of a server or client on that device
   * @throws IllegalArgumentException when the device's queues or completion queues are too small
   */
  public <T extends RdmaOptions<T>> T own(T options, DeviceAttributes device) {
    check("a receive queue", window, device.maxQueuePairWorkRequests());
    check(
        "a completion queue (receives plus sendDepth)",
        (long) window + options.getSendDepth(),
        device.maxCompletionQueueEntries());
    return options.setReceiveDepth(window).setSharedReceives(null);
  }

  /**
   * Sets a pool of receives that all connections share. It has no reserve: the windows of all peers
   * fit, so none can starve another.
   *
   * @param options of a server or client on that device, with one event loop: each has a pool of
   *     its own
   * @throws IllegalArgumentException when the device's shared or completion queues are too small
   */
  public <T extends RdmaOptions<T>> T shared(T options, DeviceAttributes device) {
    check("a shared receive queue", receives(), device.maxSharedReceiveQueueWorkRequests());
    check("a completion queue", receives(), device.maxCompletionQueueEntries());
    return options.setSharedReceives(
        new SharedReceiveOptions()
            .setDepth(receives())
            .setMaxDepth(receives())
            .setShare(Math.min(window, receives())));
  }

  private void check(String what, long wanted, long most) {
    if (wanted > most) {
      throw new IllegalArgumentException(
          peers
              + " peers with a window of "
              + window
              + " need "
              + wanted
              + " entries in "
              + what
              + ", the device has "
              + most
              + ": lower the window, or spread the peers over event loops");
    }
  }
}
