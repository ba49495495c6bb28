package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.DatagramPeer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The address handles of a datagram socket: made and destroyed on a worker; those that lead back to
 * senders are kept, the ones used last. On the loop, but for what says otherwise.
 */
final class DatagramPeers {

  private final DeviceLoop device;
  private final int port;
  private final int maxSenders;
  private final Set<DatagramPeerImpl> open = ConcurrentHashMap.newKeySet();
  private final Set<Future<?>> making = ConcurrentHashMap.newKeySet();
  // In the order of their last use.
  private final Map<Object, Future<DatagramPeer>> senders = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /**
   * Of one socket.
   *
   * @param port the device port of its queue pair
   */
  DatagramPeers(DeviceLoop device, int port, int maxSenders) {
    this.device = device;
    this.port = port;
    this.maxSenders = maxSenders;
  }

  ProtectionDomain protectionDomain() {
    return device.protectionDomain();
  }

  /** Makes a peer; the handle is made on a worker. */
  Future<DatagramPeer> make(Callable<AddressHandle> maker, DatagramPeerImpl.Target target) {
    if (closed) {
      return Future.failedFuture(ended());
    }
    Future<DatagramPeerImpl> made =
        device
            .loop()
            .blocking(
                () -> {
                  DatagramPeerImpl peer =
                      new DatagramPeerImpl(
                          this, maker.call(), target, device.loop().context().promise());
                  open.add(peer);
                  return peer;
                });
    making.add(made);
    return made.onComplete(done -> making.remove(made))
        .map(
            peer -> {
              if (closed) {
                throw ended();
              }
              return peer;
            });
  }

  private static IllegalStateException ended() {
    return new IllegalStateException("the datagram socket is closed");
  }

  /**
   * The way back to the sender of a datagram.
   *
   * @param kept has the completion
   * @param index where
   * @param header what came in front of the payload; both stay as they are until this completes
   */
  Future<DatagramPeer> sender(WorkCompletions kept, int index, ByteBuffer header) {
    int number = kept.sourceQueuePair(index);
    // Without a header nothing that could be compared says which port it came from.
    Object key =
        kept.hasGlobalRoutingHeader(index)
            ? GlobalRoutingHeader.sender(header, number)
            : new Object();
    Future<DatagramPeer> known = senders.get(key);
    if (known != null && !known.failed() && !(known.succeeded() && known.result().isClosed())) {
      return known;
    }
    Future<DatagramPeer> made =
        make(
            () -> protectionDomain().createAddressHandle(kept, index, header, port),
            new DatagramPeerImpl.Target(number, UdParam.DEFAULT_QUEUE_KEY));
    senders.put(key, made);
    Iterator<Future<DatagramPeer>> eldest = senders.values().iterator();
    while (senders.size() > maxSenders) {
      eldest.next().onSuccess(DatagramPeer::close);
      eldest.remove();
    }
    return made;
  }

  /** Nothing uses the peer any more. Any thread. */
  Future<Void> destroy(DatagramPeerImpl peer) {
    return device
        .loop()
        .blocking(
            () -> {
              peer.handle().close();
              open.remove(peer);
              return null;
            });
  }

  /** How many are open. Any thread. */
  int count() {
    return open.size();
  }

  /** Closes all; after the last send has ended. */
  Future<Void> close() {
    closed = true;
    return Future.join(List.copyOf(making))
        .transform(
            made -> {
              List<Future<Void>> closing = new ArrayList<>();
              open.forEach(peer -> closing.add(peer.close()));
              return Future.join(closing).mapEmpty();
            });
  }
}
