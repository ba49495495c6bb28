package io.vertxrdma.soft;

import io.vertxrdma.soft.io.ForwardingLink;
import io.vertxrdma.soft.io.Intruder;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.io.Timers;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Keeps what links received last from others, and lets an intruder in. */
final class WireTap implements LinkDecorator {

  private static final int KEPT = 64;

  private volatile boolean tapping = true;
  private final Map<InetAddress, Link> links = new ConcurrentHashMap<>();
  private final Map<InetAddress, AtomicReferenceArray<byte[]>> received = new ConcurrentHashMap<>();

  @Override
  public Link decorate(Link link, Timers timers) {
    links.put(link.localAddress(), link);
    received.put(link.localAddress(), new AtomicReferenceArray<>(KEPT));
    return new Tapped(link);
  }

  /** Writes down nothing more. */
  void stop() {
    tapping = false;
  }

  /** Somebody who puts datagrams into the link of an address. */
  Intruder intruder(InetAddress target) {
    return new Intruder(links.get(target));
  }

  /** Packets that arrived at an address last, in no order. */
  List<byte[]> received(InetAddress at) {
    AtomicReferenceArray<byte[]> kept = received.get(at);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < kept.length(); i++) {
      if (kept.get(i) != null) {
        all.add(kept.get(i));
      }
    }
    return all;
  }

  /** A link that writes down what arrives on it from a real peer of a connection. */
  private final class Tapped extends ForwardingLink {

    private int next;

    Tapped(Link link) {
      super(link);
    }

    @Override
    protected void arriving(InetAddress source, ByteBuffer packet) {
      if (tapping && links.containsKey(source)) {
        byte[] copy = new byte[packet.remaining()];
        packet.get(packet.position(), copy);
        received.get(localAddress()).set(next++ % KEPT, copy);
      }
    }
  }
}
