package io.vertxrdma.reactive.impl;

import io.vertx.core.Promise;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.reactive.RegisteredBuffer.Slice;
import io.vertxrdma.reactive.WorkRequest;
import java.util.List;

/** One operation between the caller and its completion; pins its memory meanwhile. */
class SendOperation {

  private static final Ended MARKER_ENDED = success -> {};
  private static final Ended HEARTBEAT_ENDED = success -> {};
  private static final WorkRequest NOTHING = WorkRequest.write(null);

  private final WorkRequest request;
  private final List<Slice> slices;
  private final Promise<Void> promise;
  private final Ended ended;

  /** Told of each operation that ended. */
  interface Ended {
    void operationEnded(boolean success);
  }

  /**
   * Makes one, to be pinned before it is posted.
   *
   * @param ended told before the promise is completed
   */
  SendOperation(WorkRequest request, Promise<Void> promise, Ended ended) {
    this.request = request;
    this.slices = request.slices();
    this.promise = promise;
    this.ended = ended;
  }

  /** A write of nothing that nobody waits for; its completion ends those posted before it. */
  static SendOperation marker() {
    return new SendOperation(NOTHING, Promise.promise(), MARKER_ENDED);
  }

  /** A write of nothing that only asks whether the peer's device still answers. */
  static SendOperation heartbeat(Promise<Void> answered) {
    return new SendOperation(NOTHING, answered, HEARTBEAT_ENDED);
  }

  final boolean isMarker() {
    return ended == MARKER_ENDED;
  }

  /**
   * Adds it to a chain.
   *
   * @param flags of {@link SendFlag}, besides its own
   * @param maxInlineData how many bytes the device takes with the request itself
   */
  void addTo(SendBatch batch, long workRequestId, int flags, int maxInlineData) {
    SendOpcode opcode = request.opcode();
    int all = flags;
    if (request.isFenced()) {
      all |= SendFlag.FENCE;
    }
    if (request.length() > 0
        && request.length() <= maxInlineData
        && !request.needsInitiatorDepth()) {
      all |= SendFlag.INLINE;
    }
    batch.add(
        workRequestId,
        opcode,
        all,
        (int) request.immediate(),
        request.remoteAddress(),
        request.remoteKey());
    for (int i = 0; i < slices.size(); i++) {
      Slice slice = slices.get(i);
      if (slice.length() > 0) {
        RegisteredBufferImpl buffer = (RegisteredBufferImpl) slice.buffer();
        batch.addScatterGather(
            buffer.address() + slice.offset(), slice.length(), buffer.localKey());
      }
    }
    if (opcode == SendOpcode.ATOMIC_FETCH_AND_ADD || opcode == SendOpcode.ATOMIC_CMP_AND_SWP) {
      batch.setAtomicOperands(request.compareOrAdd(), request.swap());
    }
  }

  final Promise<Void> promise() {
    return promise;
  }

  /** Name for messages. */
  final String name() {
    return ended == HEARTBEAT_ENDED ? "heartbeat (RDMA write)" : name(request.opcode());
  }

  static String name(SendOpcode opcode) {
    return switch (opcode) {
      case RDMA_WRITE -> "RDMA write";
      case RDMA_WRITE_WITH_IMM -> "RDMA write with immediate";
      case SEND -> "send";
      case SEND_WITH_IMM -> "send with immediate";
      case RDMA_READ -> "RDMA read";
      case ATOMIC_CMP_AND_SWP -> "atomic compare and swap";
      case ATOMIC_FETCH_AND_ADD -> "atomic fetch and add";
    };
  }

  /** Ends it: null for success. */
  final void end(Throwable failure) {
    unpin();
    ended.operationEnded(failure == null);
    if (failure == null) {
      promise.complete();
    } else {
      promise.fail(failure);
    }
  }

  /** Pins the memory; all of it or, when that fails, nothing. */
  void pin() {
    for (int i = 0; i < slices.size(); i++) {
      try {
        ((RegisteredBufferImpl) slices.get(i).buffer()).retain();
      } catch (RuntimeException closed) {
        unpin(i);
        throw closed;
      }
    }
  }

  /** Gives back what it keeps: the memory. */
  void unpin() {
    unpin(slices.size());
  }

  private void unpin(int count) {
    for (int i = 0; i < count; i++) {
      ((RegisteredBufferImpl) slices.get(i).buffer()).release();
    }
  }
}
