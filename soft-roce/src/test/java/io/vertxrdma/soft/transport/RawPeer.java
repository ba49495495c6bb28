package io.vertxrdma.soft.transport;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A peer made of single packets, which may say anything, against one real end. */
final class RawPeer {

  static final int PSN = 0x500;
  static final int OWN_PSN = 0x900;
  static final int QPN = 0x123;
  static final int MTU = 256;

  final FakeNetwork network = new FakeNetwork();
  final End end = new End(network, "10.0.0.2", io.vertxrdma.soft.SoftDeviceOptions.DEFAULT);
  InetAddress address = End.address("10.0.0.1");
  private int seen;

  RawPeer() {
    this(Rig.ALL_REMOTE_ACCESS, 4);
  }

  RawPeer(int remoteAccess, int readDepth) {
    this(remoteAccess, readDepth, OWN_PSN, 7);
  }

  RawPeer(int remoteAccess, int readDepth, int ownPsn, int retryCount) {
    end.createPair();
    end.pair.connect(
        new ConnectionSetup(
            address, QPN, ownPsn, PSN, MTU, readDepth, readDepth, 14, retryCount, 7, remoteAccess));
  }

  /** A packet to the end. */
  byte[] packet(int opcode, int psn, boolean ask, Consumer<ByteBuffer> rest) {
    ByteBuffer packet = ByteBuffer.allocate(8192);
    Headers.putBth(packet, opcode, false, 0, end.pair.number(), ask, psn);
    rest.accept(packet);
    int pad = -packet.position() & 3;
    packet.put(1, (byte) (packet.get(1) | pad << 4));
    packet.put(new byte[pad]);
    byte[] bytes = new byte[packet.position()];
    packet.get(0, bytes);
    return bytes;
  }

  static Consumer<ByteBuffer> payload(int length) {
    return packet -> {
      for (int i = 0; i < length; i++) {
        packet.put((byte) (i + 1));
      }
    };
  }

  static Consumer<ByteBuffer> reth(MemoryRegion region, int length) {
    return packet -> Headers.putReth(packet, region.address(), region.remoteKey(), length);
  }

  static Consumer<ByteBuffer> immediate(int value) {
    return packet -> packet.putInt(value);
  }

  /** Sends without delivering. */
  void put(byte[] packet) {
    network.inject(new FakeNetwork.Packet(address, end.address, packet));
  }

  /** Sends and delivers one packet. */
  RawPeer send(int opcode, int psn, boolean ask, Consumer<ByteBuffer> rest) {
    put(packet(opcode, psn, ask, rest));
    network.deliver();
    return this;
  }

  RawPeer write(int psn, MemoryRegion region, int length) {
    return send(Opcode.RC_WRITE_ONLY, psn, true, reth(region, length).andThen(payload(length)));
  }

  /** What the end has sent since this was asked last. */
  List<FakeNetwork.Packet> answers() {
    List<FakeNetwork.Packet> all = new ArrayList<>(network.log.subList(seen, network.log.size()));
    seen = network.log.size();
    return all;
  }

  /** The one answer since this was asked last. */
  FakeNetwork.Packet answer() {
    List<FakeNetwork.Packet> all = answers();
    if (all.size() != 1) {
      throw new AssertionError("expected one answer, were " + all);
    }
    return all.get(0);
  }
}
