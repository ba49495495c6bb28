package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertxrdma.cm.CompletionQueueShare;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The queue pair and memory of one connection.
 *
 * @param share room in a completion queue
 * @param queuePair the queue pair
 * @param memory for sends, reads and writes of either side
 * @param inbox one slot of the message size for each receive
 * @param sends a chain of one
 * @param receives a chain of all
 */
record Resources(
    DeviceLoop device,
    CompletionQueueShare share,
    QueuePair queuePair,
    MemoryRegion memory,
    MemoryRegion inbox,
    SendBatch sends,
    ReceiveBatch receives) {

  private static final int PAGE = 4096;
  private static final Set<AccessFlag> EVERYTHING = EnumSet.allOf(AccessFlag.class);
  private static final Set<AccessFlag> LOCAL = EnumSet.of(AccessFlag.LOCAL_WRITE);

  /** Makes them for an id whose device is known. */
  static Future<Resources> make(DeviceLoop device, CmId id, VerbsOptions options) {
    return device
        .reserve(options.sendDepth() + options.receiveDepth(), 0)
        .compose(
            share ->
                device
                    .loop()
                    .blocking(() -> make(device, id, options, share))
                    .onFailure(failed -> share.release()));
  }

  private static Resources make(
      DeviceLoop device, CmId id, VerbsOptions options, CompletionQueueShare share) {
    ProtectionDomain domain = device.protectionDomain();
    QueuePair queuePair =
        id.createQueuePair(
            domain,
            new QueuePairInit(
                QueuePairType.RC,
                share.queue(),
                share.queue(),
                null,
                new QueuePairCapabilities(options.sendDepth(), options.receiveDepth(), 1, 1, 0),
                true));
    MemoryRegion memory = domain.register(pages(options.memorySize()), EVERYTHING);
    MemoryRegion inbox =
        domain.register(
            pages(Math.multiplyExact(options.receiveDepth(), options.messageSize())), LOCAL);
    return new Resources(
        device,
        share,
        queuePair,
        memory,
        inbox,
        queuePair.allocateSendBatch(1, 1),
        queuePair.allocateReceiveBatch(options.receiveDepth(), 1));
  }

  private static ByteBuffer pages(int size) {
    int whole = Math.multiplyExact((size + PAGE - 1) / PAGE, PAGE);
    return ByteBuffer.allocateDirect(whole + PAGE).alignedSlice(PAGE).slice(0, size);
  }

  /** Destroys them, and the id: blocking. The share is given back on the event loop. */
  void destroy(CmId id) {
    sends.close();
    receives.close();
    id.close();
    memory.close();
    inbox.close();
  }
}
