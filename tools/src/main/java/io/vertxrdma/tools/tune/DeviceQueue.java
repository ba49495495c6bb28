package io.vertxrdma.tools.tune;

import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;

/**
 * How many work requests one queue of a connection can hold beside one of the other kind.
 *
 * @param entries 1 or more
 * @param reason whose limit it is
 */
record DeviceQueue(int entries, String reason) {

  static DeviceQueue of(DeviceContext device) {
    DeviceAttributes attributes = device.attributes();
    long requests = attributes.maxQueuePairWorkRequests();
    // Both queues complete into one completion queue.
    long completions = attributes.maxCompletionQueueEntries() - 1;
    String name = requests <= completions ? "max_qp_wr" : "max_cqe";
    long value = requests <= completions ? requests : completions + 1;
    return new DeviceQueue(
        (int) Math.max(1, Math.min(Math.min(requests, completions), Step.MOST_DEPTH * 8L)),
        "device maximum " + name + " of " + device.name() + " is " + value);
  }
}
