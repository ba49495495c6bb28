package io.vertxrdma.core;

/**
 * A device's limits ({@code struct ibv_device_attr}, ibv_query_device(3)). Native 32-bit values are
 * unsigned; they are kept as {@code long} so that none turns negative.
 *
 * @param firmwareVersion free text
 * @param nodeGuid 64 bits, as a number in host order
 * @param vendorId IEEE vendor id
 * @param vendorPartId vendor's part number
 * @param maxMemoryRegionSize bytes in one registration
 * @param maxQueuePairs queue pairs in all
 * @param maxQueuePairWorkRequests work requests in one queue
 * @param maxScatterGather entries in one work request
 * @param maxCompletionQueues completion queues in all
 * @param maxCompletionQueueEntries entries in one completion queue
 * @param maxMemoryRegions registrations in all
 * @param maxResponderResources {@code max_qp_rd_atom}: READ and ATOMIC requests a queue pair serves
 *     at once
 * @param maxInitiatorDepth {@code max_qp_init_rd_atom}: READ and ATOMIC requests a queue pair has
 *     outstanding
 * @param maxSharedReceiveQueues shared receive queues in all
 * @param maxSharedReceiveQueueWorkRequests work requests in one shared receive queue
 * @param atomics whether compare-and-swap and fetch-and-add work
 * @param portCount ports, numbered from 1
 */
public record DeviceAttributes(
    String firmwareVersion,
    long nodeGuid,
    long vendorId,
    long vendorPartId,
    long maxMemoryRegionSize,
    long maxQueuePairs,
    long maxQueuePairWorkRequests,
    long maxScatterGather,
    long maxCompletionQueues,
    long maxCompletionQueueEntries,
    long maxMemoryRegions,
    long maxResponderResources,
    long maxInitiatorDepth,
    long maxSharedReceiveQueues,
    long maxSharedReceiveQueueWorkRequests,
    boolean atomics,
    int portCount) {}
