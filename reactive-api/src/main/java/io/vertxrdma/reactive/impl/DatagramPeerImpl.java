package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.reactive.DatagramPeer;
import java.util.concurrent.atomic.AtomicBoolean;

/** An address handle, kept until the owner has closed it and the last send with it has ended. */
final class DatagramPeerImpl implements DatagramPeer {

  private final DatagramPeers owner;
  private final AddressHandle handle;
  private final Target target;
  private final Promise<Void> closed;
  private final Uses uses = new Uses();
  private final AtomicBoolean closing = new AtomicBoolean();

  /**
   * Which queue pair it leads to.
   *
   * @param queuePairNumber 24 bits
   * @param queueKey its Q_Key
   * @param serviceAddress where it was looked up, or null
   * @param privateData what was answered there
   */
  record Target(
      int queuePairNumber, int queueKey, SocketAddress serviceAddress, Buffer privateData) {

    /** One that nobody was asked for. */
    Target(int queuePairNumber, int queueKey) {
      this(queuePairNumber, queueKey, null, Buffer.buffer());
    }
  }

  DatagramPeerImpl(DatagramPeers owner, AddressHandle handle, Target target, Promise<Void> closed) {
    this.owner = owner;
    this.handle = handle;
    this.target = target;
    this.closed = closed;
  }

  DatagramPeers owner() {
    return owner;
  }

  AddressHandle handle() {
    return handle;
  }

  /** A send begins. Throws when it is closed. Any thread. */
  void retain() {
    if (closing.get() || !uses.enter()) {
      throw new IllegalStateException("the peer is closed: " + this);
    }
  }

  /** A send has ended. Any thread. */
  void release() {
    if (uses.leave()) {
      owner.destroy(this).onComplete(closed);
    }
  }

  @Override
  public int queuePairNumber() {
    return target.queuePairNumber();
  }

  @Override
  public int queueKey() {
    return target.queueKey();
  }

  @Override
  public SocketAddress serviceAddress() {
    return target.serviceAddress();
  }

  @Override
  public Buffer privateData() {
    return target.privateData().copy();
  }

  @Override
  public boolean isClosed() {
    return closing.get();
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      release();
    }
    return closed.future();
  }

  @Override
  public String toString() {
    return "DatagramPeer[qp 0x"
        + Integer.toHexString(queuePairNumber())
        + (serviceAddress() == null ? "]" : " of " + serviceAddress() + "]");
  }
}
