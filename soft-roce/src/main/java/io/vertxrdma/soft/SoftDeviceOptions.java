package io.vertxrdma.soft;

import io.vertxrdma.core.DeviceAttributes;

/**
 * The limits of a soft device; configurable so that tests can have small ones. The defaults are
 * those of the kernel's rxe where it has a sensible one.
 *
 * @param maxQueuePairs queue pairs in all
 * @param maxQueuePairWorkRequests work requests in one queue
 * @param maxScatterGather entries in one work request
 * @param maxCompletionQueueEntries entries in one completion queue
 * @param maxMemoryRegionSize bytes in one registration
 * @param maxMemoryRegions registrations in all
 * @param maxResponderResources READ and ATOMIC requests a queue pair serves at once
 * @param maxInitiatorDepth READ and ATOMIC requests a queue pair has outstanding
 * @param maxSharedReceiveQueueWorkRequests work requests in one shared receive queue
 * @param pathMtu largest path MTU: 256, 512, 1024, 2048 or 4096; less if the interface is smaller
 */
public record SoftDeviceOptions(
    int maxQueuePairs,
    int maxQueuePairWorkRequests,
    int maxScatterGather,
    int maxCompletionQueueEntries,
    long maxMemoryRegionSize,
    int maxMemoryRegions,
    int maxResponderResources,
    int maxInitiatorDepth,
    int maxSharedReceiveQueueWorkRequests,
    int pathMtu) {

  /** The defaults. */
  public static final SoftDeviceOptions DEFAULT =
      new SoftDeviceOptions(
          65_536, 16_384, 32, 32_767, Integer.MAX_VALUE, 65_536, 128, 128, 16_384, 4096);

  /** The same as device attributes. */
  public DeviceAttributes attributes(long nodeGuid) {
    return new DeviceAttributes(
        "soft",
        nodeGuid,
        0xFFFFFF,
        0,
        maxMemoryRegionSize,
        maxQueuePairs,
        maxQueuePairWorkRequests,
        maxScatterGather,
        maxQueuePairs,
        maxCompletionQueueEntries,
        maxMemoryRegions,
        maxResponderResources,
        maxInitiatorDepth,
        maxQueuePairs,
        maxSharedReceiveQueueWorkRequests,
        true,
        1);
  }
}
