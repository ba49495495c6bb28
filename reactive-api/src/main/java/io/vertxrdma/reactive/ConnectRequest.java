package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import java.util.List;

/**
 * A peer that wants to connect, to be answered once: accept or reject. What it holds is a copy and
 * stays valid. The answer may take its time; the peer's connection manager keeps asking.
 */
public interface ConnectRequest {

  /** The local address it was sent to. */
  SocketAddress localAddress();

  /** The peer's address. */
  SocketAddress remoteAddress();

  /** The device it came in on. */
  DeviceContext device();

  /** The peer's private data; on InfiniBand and RoCE 56 bytes, zero-padded. */
  Buffer privateData();

  /**
   * What the peer announced, mirrored for our use: its initiator depth is our {@link
   * ConnParam#responderResources()} and the other way round.
   */
  ConnParam offered();

  /**
   * What the peer announced, as one object: depths in our terms and in the peer's, and the rest.
   */
  PeerOffer announced();

  /**
   * What in it is likely to go wrong, held against the server's parameters and the device; empty at
   * best. Each was logged when the request came.
   */
  List<AlignmentFinding> alignment();

  /** Memory on the device, so that its descriptor can be part of the answer. */
  RdmaMemory memory();

  /** Whether it was answered, by us or by the peer giving up. */
  boolean isAnswered();

  /** Accepts with the server's parameters and no private data. */
  default Future<RdmaConnection> accept() {
    return accept(null, null);
  }

  /** Accepts with the server's parameters. */
  default Future<RdmaConnection> accept(Buffer privateData) {
    return accept(privateData, null);
  }

  /**
   * Accepts: completes with the established connection, or fails, with {@link
   * io.vertxrdma.core.ConnectionClosedException} when the peer has gone or the server closes
   * meanwhile. Receives are posted before the peer learns of it.
   *
   * @param privateData 196 bytes at most on InfiniBand and RoCE; null for none
   * @param parameters null for the server's; clamped to the device and to what the peer asked
   * @throws IllegalArgumentException for private data that is too long; the request can still be
   *     answered
   * @throws IllegalStateException when the application has answered it already
   */
  Future<RdmaConnection> accept(Buffer privateData, ConnectionParameters parameters);

  /** Rejects without a word. */
  default Future<Void> reject() {
    return reject(null);
  }

  /**
   * Rejects.
   *
   * @param privateData for the peer's {@link io.vertxrdma.core.ConnectionRejectedException}; 148
   *     bytes at most on InfiniBand and RoCE; null for none
   * @throws IllegalArgumentException for private data that is too long; the request can still be
   *     answered
   * @throws IllegalStateException when the application has answered it already
   */
  Future<Void> reject(Buffer privateData);

  /** {@link #accept(Buffer)}, when subscribed to. */
  default Single<RdmaConnection> rxAccept(Buffer privateData) {
    return Rx.single(() -> accept(privateData));
  }

  /** {@link #accept(Buffer, ConnectionParameters)}, when subscribed to. */
  default Single<RdmaConnection> rxAccept(Buffer privateData, ConnectionParameters parameters) {
    return Rx.single(() -> accept(privateData, parameters));
  }

  /** {@link #reject(Buffer)}, when subscribed to. */
  default Completable rxReject(Buffer privateData) {
    return Rx.completable(() -> reject(privateData));
  }
}
