package io.vertxrdma.reactive.impl;

import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a datagram socket is at home: the provider, the device and the id that its queue pair is
 * made on, known with the first bind, listen or lookup. On the loop, but for what says otherwise.
 */
final class DatagramBinding {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDatagramSocket.class);

  private final RdmaDatagramSocketImpl socket;
  private final RdmaDatagramOptions options;
  private final DatagramData data;
  private volatile InetSocketAddress local;
  private RdmaLoop boundLoop;
  private Future<Void> binding;
  private CmId home;

  DatagramBinding(RdmaDatagramSocketImpl socket, RdmaDatagramOptions options, DatagramData data) {
    this.socket = socket;
    this.options = options;
    this.data = data;
  }

  /** The address of the queue pair's id; null before. Any thread. */
  InetSocketAddress local() {
    return local;
  }

  /** An own address. */
  Future<InetAddress> resolve(String host) {
    return HostNames.of(socket.vertx())
        .resolve(socket.context(), host)
        .map(
            addresses -> {
              InetAddress first = addresses.get(0);
              if (first.isAnyLocalAddress()) {
                throw new IllegalArgumentException(
                    "a datagram socket has one queue pair, which is on one device: "
                        + host
                        + " is no address of a device");
              }
              return first;
            });
  }

  /** The provider's share of the loop for an own address. */
  Future<RdmaLoop> loopOf(InetAddress own) {
    return boundLoop != null
        ? Future.succeededFuture(boundLoop)
        : socket.loop(among -> among.forLocal(options.getProvider(), own));
  }

  /** The one to ask a peer from. */
  Future<RdmaLoop> loopTowards(InetAddress peer) {
    InetAddress own = wantedLocal();
    if (boundLoop != null || own != null) {
      return loopOf(own);
    }
    return socket.loop(among -> among.forPeer(options.getProvider(), peer));
  }

  private InetAddress wantedLocal() {
    return options.getLocalHost() == null
        ? null
        : NetUtil.createInetAddressFromIpAddressString(options.getLocalHost());
  }

  /** The local address to ask from; null for any. */
  InetSocketAddress sourceTowards(InetAddress peer) {
    InetSocketAddress bound = local;
    InetAddress source = bound == null ? wantedLocal() : bound.getAddress();
    return source == null || source.getClass() != peer.getClass()
        ? null
        : new InetSocketAddress(source, 0);
  }

  /** Makes the queue pair at an address; fails when it is at another one already. */
  Future<Void> bind(InetAddress address) {
    return loopOf(address)
        .compose(loop -> bind(loop, address))
        .map(
            bound -> {
              if (!address.equals(local.getAddress())) {
                throw new IllegalStateException(
                    "the datagram socket is bound to " + local.getAddress().getHostAddress());
              }
              return null;
            });
  }

  /** Makes the queue pair, unless it is there or being made, wherever that is. */
  Future<Void> bind(RdmaLoop loop, InetAddress address) {
    if (socket.isClosing()) {
      return Future.failedFuture(RdmaDatagramSocketImpl.closedException());
    }
    if (binding == null) {
      Future<Void> made = build(loop, address);
      binding = made;
      made.onFailure(
          failed -> {
            // The next one may try again.
            binding = null;
            home = null;
          });
      return made;
    }
    return binding;
  }

  private Future<Void> build(RdmaLoop loop, InetAddress address) {
    CmId made = loop.createId(PortSpace.UDP, this::homeEvent);
    home = made;
    InetSocketAddress bound;
    DeviceContext device;
    try {
      socket.applyOptions(made);
      made.bind(new InetSocketAddress(address, 0));
      bound = made.localAddress();
      device = made.device();
    } catch (RdmaException refused) {
      return loop.destroy(made)
          .transform(gone -> Future.failedFuture(CmFailures.ofCall(refused, "", null)));
    }
    return loop.device(device)
        .compose(opened -> data.build(opened, made, options))
        .onSuccess(
            built -> {
              boundLoop = loop;
              local = bound;
              LOG.info(
                  "datagrams on {}, {}, qp 0x{}, up to {} bytes ({} provider)",
                  address.getHostAddress(),
                  device.name(),
                  Integer.toHexString(data.dataPath().number()),
                  data.maxDatagramSize(),
                  loop.provider().name());
            })
        .recover(failed -> loop.destroy(made).transform(gone -> Future.failedFuture(failed)));
  }

  private void homeEvent(CmEvent event) {
    socket.publish(event);
    if (event.type() == CmEventType.DEVICE_REMOVAL || event.type() == CmEventType.ADDR_CHANGE) {
      socket.fail(CmFailures.of(event, Role.PASSIVE, Addresses.text(local)));
    }
  }

  /** Throws when an address is not on the device of the queue pair. */
  void checkDevice(DeviceContext device, InetAddress address) {
    DeviceContext own = data.bound().deviceLoop().device();
    if (own != device) {
      throw new IllegalStateException(
          "the queue pair of the datagram socket is on "
              + own.name()
              + ", "
              + address.getHostAddress()
              + " on "
              + (device == null ? "none" : device.name()));
    }
  }

  /** Ends the queue pair and its id. */
  Future<Void> end() {
    Future<Void> built = binding == null ? Future.succeededFuture() : binding;
    return built.transform(done -> data.end(home));
  }
}
