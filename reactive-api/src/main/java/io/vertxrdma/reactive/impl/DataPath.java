package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.CompletionQueueShare;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaOptions;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue pair of a connection, or of datagrams, with all that hangs on it: room in a completion
 * queue, posted receives, the send queue. Built and torn down in one written order.
 */
final class DataPath {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final DeviceLoop device;
  private final CompletionQueueShare share;
  private final QueuePair queuePair;
  // Asked for when the queue pair itself is gone.
  private final int number;
  private final Receives receives;
  private final SendQueue sends;

  // The bits of a work request id above its sequence number.
  private static final long GENERATION_MASK = -(1L << 40);

  /** Enough for a header, a body and a trailer. */
  private static final int USUAL_SCATTER_GATHER = 4;

  private final long generation;
  private final int scatterGather;

  private DataPath(
      DeviceLoop device,
      CompletionQueueShare share,
      long generation,
      QueuePair queuePair,
      int scatterGather,
      Receives receives,
      SendQueue sends) {
    this.device = device;
    this.share = share;
    this.scatterGather = scatterGather;
    this.generation = generation;
    this.queuePair = queuePair;
    this.number = queuePair.number();
    this.receives = receives;
    this.sends = sends;
  }

  /**
   * Builds it, receives posted. On the loop; what blocks runs on a worker. If a step fails the
   * earlier ones are undone, except the queue pair, which goes with its id.
   *
   * @param pool where receives come from, or null for the queue pair's own
   */
  static Future<DataPath> build(
      DeviceLoop device,
      CmId id,
      RdmaOptions<?> options,
      long generation,
      SharedReceivePool pool,
      CompletionHandler handler) {
    return build(
        device,
        id,
        options,
        QueuePairType.RC,
        options.getReceiveBufferSize(),
        generation,
        pool,
        handler);
  }

  /**
   * Builds one for datagrams, likewise, but without receives: {@link #postReceives}. Such a queue
   * pair receives from the moment it is made.
   *
   * @param slotSize bytes of memory of each receive, the header included
   */
  static Future<DataPath> buildDatagrams(
      DeviceLoop device,
      CmId id,
      RdmaOptions<?> options,
      int slotSize,
      long generation,
      CompletionHandler handler) {
    return build(device, id, options, QueuePairType.UD, slotSize, generation, null, handler);
  }

  private static Future<DataPath> build(
      DeviceLoop device,
      CmId id,
      RdmaOptions<?> options,
      QueuePairType type,
      int slotSize,
      long generation,
      SharedReceivePool pool,
      CompletionHandler handler) {
    checkDepth(device, "receiveDepth", pool == null ? options.getReceiveDepth() : 0);
    checkDepth(device, "sendDepth", options.getSendDepth());
    int scatterGather = scatterGather(device, options);
    // The completions of shared receives have room of their own.
    int entries = options.getSendDepth() + (pool == null ? options.getReceiveDepth() : 0);
    long spin = TimeUnit.MICROSECONDS.toNanos(options.getPollSpinMicros());
    return device
        .reserve(entries, spin)
        .compose(
            share ->
                device
                    .loop()
                    .blocking(
                        () ->
                            make(
                                device,
                                share,
                                id,
                                options,
                                type,
                                slotSize,
                                generation,
                                scatterGather,
                                pool == null ? null : new SharedReceives(pool, handler)))
                    .onFailure(failed -> share.release()))
        .onSuccess(made -> made.start(handler));
  }

  private static void checkDepth(DeviceLoop device, String name, int depth) {
    check(device, name, depth, "a queue", device.device().attributes().maxQueuePairWorkRequests());
  }

  private static void check(DeviceLoop device, String name, int wanted, String holder, long most) {
    if (wanted > most) {
      throw new IllegalArgumentException(
          name
              + " is "
              + wanted
              + ", but "
              + holder
              + " of "
              + device.device().name()
              + " holds "
              + most);
    }
  }

  private static int scatterGather(DeviceLoop device, RdmaOptions<?> options) {
    long most = device.device().attributes().maxScatterGather();
    int wanted = options.getMaxScatterGather();
    if (wanted == RdmaOptions.DERIVED) {
      return (int) Math.max(1, Math.min(USUAL_SCATTER_GATHER, most));
    }
    check(device, "maxScatterGather", wanted, "a request", most);
    return wanted;
  }

  private static DataPath make(
      DeviceLoop device,
      CompletionQueueShare share,
      CmId id,
      RdmaOptions<?> options,
      QueuePairType type,
      int slotSize,
      long generation,
      int scatterGather,
      SharedReceives shared) {
    QueuePairInit init =
        new QueuePairInit(
            type,
            share.queue(),
            shared == null ? share.queue() : shared.pool().completionQueue(),
            shared == null ? null : shared.pool().queue(),
            new QueuePairCapabilities(
                options.getSendDepth(),
                shared == null ? options.getReceiveDepth() : 0,
                scatterGather,
                shared == null ? 1 : 0,
                options.getMaxInlineData()),
            false);
    QueuePair queuePair = id.createQueuePair(device.protectionDomain(), init);
    SendQueue sends =
        new SendQueue(device.loop(), queuePair, options.getSendDepth(), scatterGather, generation);
    Receives receives = shared;
    if (shared == null) {
      ReceiveQueue own =
          new ReceiveQueue(queuePair, device.protectionDomain(), options, slotSize, generation);
      receives = own;
      try {
        own.prepare();
        if (type == QueuePairType.RC) {
          own.fill();
        }
      } catch (RuntimeException failure) {
        own.close();
        sends.close();
        throw failure;
      }
    }
    return new DataPath(device, share, generation, queuePair, scatterGather, receives, sends);
  }

  private void start(CompletionHandler handler) {
    device.register(number, handler);
    if (receives instanceof SharedReceives shared) {
      shared.join();
    }
  }

  /** Posts the receives of a queue pair for datagrams. */
  void postReceives() {
    ((ReceiveQueue) receives).fill();
  }

  /** Whether receives come from a shared queue, which the peer is told. */
  boolean usesSharedReceiveQueue() {
    return receives.isShared();
  }

  /** Slices one request may have. */
  int scatterGather() {
    return scatterGather;
  }

  DeviceLoop deviceLoop() {
    return device;
  }

  /** Whether its completions come through that queue. */
  boolean usesQueue(CompletionQueue queue) {
    return share.queue() == queue
        || receives instanceof SharedReceives shared && shared.pool().completionQueue() == queue;
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

  /** Whether a request was posted by this data path, or by the pool it takes receives from. */
  boolean owns(long workRequestId) {
    return workRequestId < 0
        ? receives.owns(workRequestId)
        : (workRequestId & GENERATION_MASK) == generation;
  }

  /** Memory to keep completions of its queue in. */
  WorkCompletions allocateCompletions(int count) {
    return share.queue().allocate(count);
  }

  int number() {
    return number;
  }

  Receives receives() {
    return receives;
  }

  SendQueue sends() {
    return sends;
  }

  /** Whether everything posted has completed. */
  boolean isDrained() {
    return sends.outstanding() == 0 && receives.isDrained();
  }

  /**
   * The queue pair is in error and about to be destroyed: takes what has come through shared
   * receives, which nothing flushed behind it announces. Not while completions are dispatched.
   */
  void pollReceives() {
    if (receives instanceof SharedReceives shared) {
      shared.pool().poll();
    }
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
