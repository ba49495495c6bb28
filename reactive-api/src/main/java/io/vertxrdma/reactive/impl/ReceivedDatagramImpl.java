package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.ReceivedDatagram;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;

/** A datagram; its receive is kept while the way back to its sender is made of it. */
final class ReceivedDatagramImpl extends ReceivedPayloadImpl implements ReceivedDatagram {

  private final DatagramQueue queue;
  private final int senderQueuePair;
  private final Uses uses = new Uses();
  private Promise<DatagramPeer> sender;

  ReceivedDatagramImpl(
      DatagramQueue queue,
      long workRequestId,
      ByteBuffer payload,
      boolean hasImmediate,
      int immediate,
      int senderQueuePair) {
    super(queue, workRequestId, payload, hasImmediate, immediate);
    this.queue = queue;
    this.senderQueuePair = senderQueuePair;
  }

  @Override
  public RdmaDatagramSocket socket() {
    return queue.socket();
  }

  @Override
  public int senderQueuePair() {
    return senderQueuePair;
  }

  @Override
  public Future<DatagramPeer> sender() {
    Promise<DatagramPeer> asked;
    synchronized (this) {
      if (sender != null) {
        return sender.future();
      }
      if (isDetached()) {
        return Future.failedFuture(new IllegalStateException("the datagram socket has ended"));
      }
      if (isReleased() || !uses.enter()) {
        throw new IllegalStateException(
            "the datagram was released: ask for its sender before, or look at the one of another");
      }
      asked = queue.socket().promise();
      sender = asked;
    }
    try {
      queue.socket().run(() -> lookBack(asked));
    } catch (RejectedExecutionException loopEnded) {
      left();
      asked.fail(new IllegalStateException("the datagram socket has ended"));
    }
    return asked.future();
  }

  private void lookBack(Promise<DatagramPeer> asked) {
    Future<DatagramPeer> found;
    try {
      found = queue.sender(workRequestId());
    } catch (RuntimeException memoryGone) {
      found = Future.failedFuture(memoryGone);
    }
    found.onComplete(
        done -> {
          left();
          asked.handle(done);
        });
  }

  @Override
  void freed() {
    left();
  }

  private void left() {
    if (uses.leave()) {
      giveBack();
    }
  }

  @Override
  String name() {
    return "ReceivedDatagram";
  }
}
