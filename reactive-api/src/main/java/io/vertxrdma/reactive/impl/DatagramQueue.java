package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.ReceivedDatagram;
import java.nio.ByteBuffer;

/**
 * The datagrams of a socket that were not handed over yet, and the completions that brought those
 * that were not released yet.
 */
final class DatagramQueue extends PayloadQueue<ReceivedDatagram> {

  private final RdmaDatagramSocketImpl socket;
  private WorkCompletions kept;
  private DatagramPeers peers;

  DatagramQueue(RdmaDatagramSocketImpl socket, Runnable credited) {
    super(socket.context(), "datagrams()", credited);
    this.socket = socket;
  }

  /** The queue pair is there; before the first push. */
  void open(DataPath path, DatagramPeers made) {
    setReceives(path.receives());
    kept = path.allocateCompletions(path.receives().depth());
    peers = made;
  }

  RdmaDatagramSocketImpl socket() {
    return socket;
  }

  /** Adds one, of a receive with a header at least; delivered by the next drain. */
  void push(WorkCompletions batch, int index) {
    long workRequestId = batch.workRequestId(index);
    kept.keep(ReceivePoster.slot(workRequestId), batch, index);
    ByteBuffer memory = receives().memory(workRequestId, batch.byteLength(index));
    boolean hasImmediate = batch.hasImmediate(index);
    add(
        new ReceivedDatagramImpl(
            this,
            workRequestId,
            memory.position(GlobalRoutingHeader.LENGTH).slice(),
            hasImmediate,
            hasImmediate ? batch.immediate(index) : 0,
            batch.sourceQueuePair(index)));
  }

  /** The way back to who sent what a receive has. On the loop. */
  Future<DatagramPeer> sender(long workRequestId) {
    return peers.sender(
        kept,
        ReceivePoster.slot(workRequestId),
        receives().memory(workRequestId, GlobalRoutingHeader.LENGTH));
  }
}
