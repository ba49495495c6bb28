package io.vertxrdma.reactive;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/**
 * Whom datagrams of a socket can go to: an address handle with a queue pair number and a Q_Key.
 * What was not closed is closed with the socket.
 */
public interface DatagramPeer {

  /** The peer's queue pair, 24 bits. */
  int queuePairNumber();

  /** The Q_Key that datagrams to it carry; one with another than the peer's is dropped there. */
  int queueKey();

  /** Where it was looked up, or null when it was not. */
  SocketAddress serviceAddress();

  /**
   * What the service answered to the lookup: on InfiniBand and RoCE the whole field of 136 bytes,
   * zero-padded. Empty when it was not looked up.
   */
  Buffer privateData();

  /** Whether it was closed: nothing can be sent to it any more. */
  boolean isClosed();

  /** Gives the address handle back, as soon as no send uses it. Idempotent. */
  Future<Void> close();
}
