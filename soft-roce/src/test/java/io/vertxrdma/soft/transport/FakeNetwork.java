package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.wire.Headers;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Links in memory: packets move, get lost, double or out of order only when the test says so. */
final class FakeNetwork {

  /** A packet under way. */
  record Packet(InetAddress source, InetAddress destination, byte[] bytes) {

    private ByteBuffer buffer() {
      return ByteBuffer.wrap(bytes);
    }

    int opcode() {
      return Headers.opcode(buffer(), 0);
    }

    int psn() {
      return Headers.psn(buffer(), 0);
    }

    boolean asksForAcknowledge() {
      return Headers.acknowledgeRequest(buffer(), 0);
    }

    int destinationQpn() {
      return Headers.destinationQpn(buffer(), 0);
    }

    /** Of a packet with an AETH right behind the BTH. */
    int syndrome() {
      return Headers.aethSyndrome(buffer(), Headers.BTH_LENGTH);
    }

    int msn() {
      return Headers.aethMsn(buffer(), Headers.BTH_LENGTH);
    }
  }

  private final class FakeLink implements Link {
    private final InetAddress address;
    private Receiver receiver;
    private boolean closed;

    FakeLink(InetAddress address) {
      this.address = address;
    }

    @Override
    public InetAddress localAddress() {
      return address;
    }

    @Override
    public int maxPathMtu() {
      return 4096;
    }

    @Override
    public void setReceiver(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void send(InetAddress destination, ByteBuffer packet) {
      if (closed) {
        return;
      }
      byte[] bytes = new byte[packet.remaining()];
      packet.get(bytes);
      unflushed++;
      transfer(new Packet(address, destination, bytes));
    }

    @Override
    public void flush() {
      unflushed = 0;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  final ManualTimers timers = new ManualTimers();
  final List<Packet> log = new ArrayList<>();
  private final Map<InetAddress, FakeLink> links = new HashMap<>();
  private List<Packet> wire = new ArrayList<>();
  private Predicate<Packet> drops = packet -> false;
  private SplittableRandom random = new SplittableRandom(1);
  private double loss;
  private double duplication;
  private double reordering;
  private boolean logging = true;
  private int unflushed;

  Link link(InetAddress address) {
    return links.computeIfAbsent(address, FakeLink::new);
  }

  /** Loses the packets that match, from now on. */
  void drop(Predicate<Packet> which) {
    drops = which;
  }

  void dropNothing() {
    drops = packet -> false;
  }

  void setFaults(long seed, double loss, double duplication, double reordering) {
    this.random = new SplittableRandom(seed);
    this.loss = loss;
    this.duplication = duplication;
    this.reordering = reordering;
  }

  void stopLogging() {
    logging = false;
    log.clear();
  }

  /** Packets sent by engines that never flushed their link. */
  int unflushed() {
    return unflushed;
  }

  private synchronized void transfer(Packet packet) {
    if (logging) {
      log.add(packet);
    }
    if (drops.test(packet) || loss > 0 && random.nextDouble() < loss) {
      return;
    }
    inject(packet);
    if (duplication > 0 && random.nextDouble() < duplication) {
      inject(packet);
    }
  }

  /** Puts a packet on the wire as if the link had sent it. */
  synchronized void inject(Packet packet) {
    int at = wire.size();
    if (reordering > 0 && random.nextDouble() < reordering) {
      at -= random.nextInt(Math.min(at, 8) + 1);
    }
    wire.add(at, packet);
  }

  /** Moves packets until none is under way; no time passes. */
  void deliver() {
    List<Packet> batch;
    while (!(batch = takeBatch()).isEmpty()) {
      for (FakeLink link : List.copyOf(links.values())) {
        deliver(batch, link);
      }
    }
  }

  /** What is on the wire now; not held while it is delivered, like the lock of no real link. */
  private synchronized List<Packet> takeBatch() {
    List<Packet> batch = wire;
    wire = new ArrayList<>();
    return batch;
  }

  private void deliver(List<Packet> batch, FakeLink link) {
    boolean any = false;
    for (Packet packet : batch) {
      if (packet.destination().equals(link.address)) {
        any = true;
        link.receiver.packet(packet.source(), ByteBuffer.wrap(packet.bytes()));
      }
    }
    if (any) {
      link.receiver.batchEnd();
    }
  }

  /** Delivers, and lets time pass. */
  void run(long millis) {
    long until = timers.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    deliver();
    while (timers.runNext(until)) {
      deliver();
    }
    timers.setNow(until);
  }

  /** Delivers, and lets time pass until no timer runs. */
  void settle() {
    deliver();
    int turns = 0;
    while (timers.runNext(Long.MAX_VALUE)) {
      deliver();
      if (++turns > 100_000) {
        throw new AssertionError("it never ends");
      }
    }
  }
}
