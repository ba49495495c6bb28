package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.CompletionQueueShare;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaOptions;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue pair of a connection with all that hangs on it: room in a completion queue, posted
 * receives, the send queue. Built and torn down in one written order.
 */
final class DataPath {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final DeviceLoop device;
  private final CompletionQueueShare share;
  private final QueuePair queuePair;
  // Asked for when the queue pair itself is gone.
  private final int number;
  private final ReceiveQueue receives;
  private final SendQueue sends;

  // The bits of a work request id between its receive bit and its sequence number.
  private static final long GENERATION_MASK = ~ReceiveQueue.RECEIVE_BIT & -(1L << 40);

  private final long generation;
  private final boolean sharedReceiveQueue;

  private DataPath(
      DeviceLoop device,
      CompletionQueueShare share,
      long generation,
      QueuePair queuePair,
      boolean sharedReceiveQueue,
      ReceiveQueue receives,
      SendQueue sends) {
    this.device = device;
    this.share = share;
    this.sharedReceiveQueue = sharedReceiveQueue;
    this.generation = generation;
    this.queuePair = queuePair;
    this.number = queuePair.number();
    this.receives = receives;
    this.sends = sends;
  }

  /**
   * Builds it, receives posted. On the loop; what blocks runs on a worker. If a step fails the
   * earlier ones are undone, except the queue pair, which goes with its id.
   */
  static Future<DataPath> build(
      DeviceLoop device,
      CmId id,
      RdmaOptions<?> options,
      long generation,
      CompletionHandler handler) {
    checkDepth(device, "receiveDepth", options.getReceiveDepth());
    checkDepth(device, "sendDepth", options.getSendDepth());
    int entries = options.getReceiveDepth() + options.getSendDepth();
    long spin = TimeUnit.MICROSECONDS.toNanos(options.getPollSpinMicros());
    return device
        .reserve(entries, spin)
        .compose(
            share ->
                device
                    .loop()
                    .blocking(() -> make(device, share, id, options, generation))
                    .onFailure(failed -> share.release()))
        .onSuccess(made -> device.register(made.number, handler));
  }

  private static void checkDepth(DeviceLoop device, String name, int depth) {
    DeviceAttributes limits = device.device().attributes();
    if (depth > limits.maxQueuePairWorkRequests()) {
      throw new IllegalArgumentException(
          name
              + " is "
              + depth
              + ", but a queue of "
              + device.device().name()
              + " holds "
              + limits.maxQueuePairWorkRequests());
    }
  }

  private static DataPath make(
      DeviceLoop device,
      CompletionQueueShare share,
      CmId id,
      RdmaOptions<?> options,
      long generation) {
    QueuePairInit init =
        new QueuePairInit(
            QueuePairType.RC,
            share.queue(),
            share.queue(),
            null,
            new QueuePairCapabilities(options.getSendDepth(), options.getReceiveDepth(), 1, 1, 0),
            false);
    QueuePair queuePair = id.createQueuePair(device.protectionDomain(), init);
    SendQueue sends = new SendQueue(device.loop(), queuePair, options.getSendDepth(), generation);
    ReceiveQueue receives =
        new ReceiveQueue(queuePair, device.protectionDomain(), options, generation);
    try {
      receives.fill();
    } catch (RuntimeException failure) {
      receives.close();
      sends.close();
      throw failure;
    }
    return new DataPath(
        device, share, generation, queuePair, init.sharedReceiveQueue() != null, receives, sends);
  }

  /** Whether receives come from a shared queue, which the peer is told. */
  boolean usesSharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  DeviceLoop deviceLoop() {
    return device;
  }

  CompletionQueue completionQueue() {
    return share.queue();
  }

  QueuePair queuePair() {
    return queuePair;
  }

  /**
   * The connection manager leaves the timer at 655 ms; only the application can set it. Not on
   * iWARP, which has none.
   *
   * @param code 0..31
   */
  void setRnrTimer(int code) {
    if (device.device().transport() == TransportType.IWARP) {
      return;
    }
    try {
      queuePair.setMinRnrTimer(code);
    } catch (RdmaException refused) {
      LOG.warn(
          "qp 0x{}: the RNR timer stays as it is: {}",
          Integer.toHexString(number),
          refused.getMessage());
    }
  }

  /** Whether a request was posted by this data path. */
  boolean owns(long workRequestId) {
    return (workRequestId & GENERATION_MASK) == generation;
  }

  int number() {
    return number;
  }

  ReceiveQueue receives() {
    return receives;
  }

  SendQueue sends() {
    return sends;
  }

  /** Whether everything posted has completed. */
  boolean isDrained() {
    return receives.posted() == 0 && sends.outstanding() == 0;
  }

  /** Frees what must go before the queue pair. Blocking. */
  void closeQueues() {
    receives.close();
    sends.close();
  }

  /** Ends dispatch and gives the room back, after the queue pair is gone. On the loop. */
  void release(CompletionHandler handler) {
    device.unregister(number, handler);
    share.release();
  }
}
