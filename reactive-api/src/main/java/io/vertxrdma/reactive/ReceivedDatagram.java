package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;

/**
 * A datagram that came; see {@link RdmaDatagramSocket#datagrams()}.
 *
 * <p>Its receive is posted again only when it is released: who keeps datagrams makes the card drop
 * others.
 */
public interface ReceivedDatagram extends ReceivedPayload {

  /** Where it came to. */
  RdmaDatagramSocket socket();

  /** The queue pair of the sender, 24 bits. */
  int senderQueuePair();

  /**
   * The way back to the sender. Its Q_Key is taken to be {@link
   * io.vertxrdma.core.UdParam#DEFAULT_QUEUE_KEY}, which all queue pairs of the port space UDP have;
   * a datagram does not tell.
   *
   * <p>Made on a worker the first time and kept for all datagrams of that sender. The socket keeps
   * the {@link RdmaDatagramOptions#getMaxSenders()} used last and closes others. Ask before the
   * release; the future may complete after it.
   *
   * @return fails when the socket has ended, or there is no way back
   * @throws IllegalStateException when the datagram was released and its sender never asked for
   */
  Future<DatagramPeer> sender();

  /** {@link #sender()}, when subscribed to. */
  default Single<DatagramPeer> rxSender() {
    return Rx.single(this::sender);
  }
}
