package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/**
 * Somebody looks a datagram socket up; to be answered once, see {@link
 * RdmaDatagramSocket#requestHandler}.
 */
public interface DatagramRequest {

  /** Who asks: the address it gave. Its datagrams may come from another port. */
  SocketAddress remoteAddress();

  /** What it sent along: on InfiniBand and RoCE the whole field of 180 bytes, zero-padded. */
  Buffer privateData();

  /** Whether it was answered, by the application or because the socket closes. */
  boolean isAnswered();

  /** Tells it this socket's queue pair, without private data. */
  default Future<Void> accept() {
    return accept(null);
  }

  /**
   * Tells it this socket's queue pair.
   *
   * @param privateData 136 bytes at most on InfiniBand and RoCE; null for none
   * @return completes when the answer was sent; nobody says whether it arrived
   * @throws IllegalArgumentException for longer private data
   * @throws IllegalStateException when the application answered already
   */
  Future<Void> accept(Buffer privateData);

  /** Says no, without private data. */
  default Future<Void> reject() {
    return reject(null);
  }

  /**
   * Says no: the lookup fails with {@link io.vertxrdma.core.LookupRejectedException}.
   *
   * @param privateData 136 bytes at most on InfiniBand and RoCE; null for none
   * @throws IllegalArgumentException for longer private data
   * @throws IllegalStateException when the application answered already
   */
  Future<Void> reject(Buffer privateData);

  /** {@link #accept(Buffer)}, when subscribed to. */
  default Completable rxAccept(Buffer privateData) {
    return Rx.completable(() -> accept(privateData));
  }

  /** {@link #reject(Buffer)}, when subscribed to. */
  default Completable rxReject(Buffer privateData) {
    return Rx.completable(() -> reject(privateData));
  }
}
