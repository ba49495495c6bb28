package io.vertxrdma.reactive.impl;

import io.vertx.core.Promise;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.reactive.WorkRequest;

/** The send of one datagram; keeps the way to its peer open meanwhile. */
final class DatagramOperation extends SendOperation {

  private final DatagramPeerImpl peer;

  DatagramOperation(
      WorkRequest request, DatagramPeerImpl peer, Promise<Void> promise, Ended ended) {
    super(request, promise, ended);
    this.peer = peer;
  }

  @Override
  void addTo(SendBatch batch, long workRequestId, int flags, int maxInlineData) {
    super.addTo(batch, workRequestId, flags, maxInlineData);
    batch.setUdAddress(peer.handle(), peer.queuePairNumber(), peer.queueKey());
  }

  @Override
  void pin() {
    super.pin();
    try {
      peer.retain();
    } catch (IllegalStateException closed) {
      super.unpin();
      throw closed;
    }
  }

  @Override
  void unpin() {
    super.unpin();
    peer.release();
  }
}
