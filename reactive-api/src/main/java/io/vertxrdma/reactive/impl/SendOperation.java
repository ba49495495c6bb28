package io.vertxrdma.reactive.impl;

import io.vertx.core.Promise;
import io.vertxrdma.core.SendOpcode;

/** One operation between the caller and its completion; pins its memory meanwhile. */
final class SendOperation {

  private static final Ended MARKER_ENDED = success -> {};
  private static final Ended HEARTBEAT_ENDED = success -> {};

  final SendOpcode opcode;
  final RegisteredBufferImpl source;
  final long address;
  final int length;
  final int localKey;
  final long remoteAddress;
  final int remoteKey;
  final int immediate;
  private final Promise<Void> promise;
  private final Ended ended;

  /** Told of each operation that ended. */
  interface Ended {
    void operationEnded(boolean success);
  }

  SendOperation(
      SendOpcode opcode,
      RegisteredBufferImpl source,
      int offset,
      int length,
      long remoteAddress,
      int remoteKey,
      int immediate,
      Promise<Void> promise,
      Ended ended) {
    this.opcode = opcode;
    this.source = source;
    this.address = source == null ? 0 : source.address() + offset;
    this.length = length;
    this.localKey = source == null ? 0 : source.localKey();
    this.remoteAddress = remoteAddress;
    this.remoteKey = remoteKey;
    this.immediate = immediate;
    this.promise = promise;
    this.ended = ended;
  }

  /** A write of nothing that nobody waits for; its completion ends those posted before it. */
  static SendOperation marker() {
    return empty(Promise.promise(), MARKER_ENDED);
  }

  /** A write of nothing that only asks whether the peer's device still answers. */
  static SendOperation heartbeat(Promise<Void> answered) {
    return empty(answered, HEARTBEAT_ENDED);
  }

  private static SendOperation empty(Promise<Void> promise, Ended ended) {
    return new SendOperation(SendOpcode.RDMA_WRITE, null, 0, 0, 0, 0, 0, promise, ended);
  }

  boolean isMarker() {
    return ended == MARKER_ENDED;
  }

  /** Name for messages. */
  String name() {
    if (ended == HEARTBEAT_ENDED) {
      return "heartbeat (RDMA write)";
    }
    return name(opcode);
  }

  static String name(SendOpcode opcode) {
    return switch (opcode) {
      case RDMA_WRITE -> "RDMA write";
      case RDMA_WRITE_WITH_IMM -> "RDMA write with immediate";
      default -> opcode.name();
    };
  }

  /** Ends it: null for success. */
  void end(Throwable failure) {
    if (source != null) {
      source.release();
    }
    ended.operationEnded(failure == null);
    if (failure == null) {
      promise.complete();
    } else {
      promise.fail(failure);
    }
  }
}
