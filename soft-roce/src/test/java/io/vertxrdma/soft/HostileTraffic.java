package io.vertxrdma.soft;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.cm.CmConnection;
import io.vertxrdma.soft.io.Intruder;
import io.vertxrdma.soft.transport.Engine;
import io.vertxrdma.soft.wire.CmDrep;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmMra;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmRtu;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Datagrams against one end of a connection: noise, damaged and mutated packets with wrong and
 * right CRC, replays, and management datagrams with mutated fields; from strangers with all the
 * right numbers, and from the peer's address with wrong ones. What the peer itself might say, right
 * address and right numbers, is not among them: nobody can tell that from the truth.
 */
final class HostileTraffic {

  private static final byte[] NONE = {};
  private static final int MAD_DATA = 24;
  private static final int QUEUE_PAIR_1 = 1;
  private static final int FAR = 0x10_0000;
  private static final int RANGE = 0x60_0000;

  private final Intruder intruder;
  private final InetAddress target;
  private final InetAddress peer;
  private final CmConnection victim;
  private final int queuePair;
  private final int listenerPort;
  private final byte[] peerGuid;
  private final List<byte[]> samples;
  private final SplittableRandom random;
  private final byte[] noise = new byte[9000];
  private long foreignFamily;

  /**
   * Makes it.
   *
   * @param victim the connection at the target
   * @param queuePair the number of its queue pair
   * @param listenerPort where somebody listens
   * @param peerGuid the device number of its peer
   * @param samples packets that the target received from its peer
   */
  HostileTraffic(
      Intruder intruder,
      CmConnection victim,
      int queuePair,
      int listenerPort,
      byte[] peerGuid,
      List<byte[]> samples,
      SplittableRandom random) {
    this.intruder = intruder;
    this.target = intruder.target();
    this.victim = victim;
    this.peer = victim.peer();
    this.queuePair = queuePair;
    this.listenerPort = listenerPort;
    this.peerGuid = peerGuid;
    this.samples = samples.stream().filter(sample -> destination(sample) != QUEUE_PAIR_1).toList();
    this.random = random;
  }

  /** Datagrams from addresses of the other family, which are counted as nothing better. */
  long foreignFamily() {
    return foreignFamily;
  }

  /** Bytes of datagrams that the link has not released. */
  long unreleased() {
    return intruder.unreleased();
  }

  private static int destination(byte[] packet) {
    return Headers.destinationQpn(ByteBuffer.wrap(packet), 0);
  }

  /** Sends one read full of datagrams; returns how many. */
  int batch() {
    for (int i = 0; i < 32; i++) {
      switch (random.nextInt(8)) {
        case 0 -> noise();
        case 1 -> mutated(false);
        case 2, 3 -> mutated(true);
        case 4 -> replayed();
        case 5 -> headersOnly();
        default -> management();
      }
    }
    return intruder.deliver();
  }

  private InetSocketAddress stranger() {
    try {
      byte[] raw = {127, (byte) random.nextInt(64, 68), (byte) random.nextInt(), 9};
      return new InetSocketAddress(InetAddress.getByAddress(raw), port());
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private int port() {
    return random.nextInt(1, 65_536);
  }

  private InetSocketAddress anybody() {
    return random.nextBoolean() ? stranger() : new InetSocketAddress(peer, port());
  }

  private void noise() {
    int length = random.nextInt(64) == 0 ? random.nextInt(noise.length) : random.nextInt(300);
    random.nextBytes(noise);
    InetSocketAddress sender = anybody();
    if (random.nextInt(256) == 0) {
      sender = new InetSocketAddress(Spi.ip("::1"), port());
      foreignFamily += length >= 16 && length <= 4356 ? 1 : 0;
    }
    intruder.raw(sender, noise, length);
  }

  private byte[] sample() {
    return samples.get(random.nextInt(samples.size())).clone();
  }

  private void mutated(boolean sealed) {
    byte[] packet = sample();
    for (int changes = random.nextInt(4); changes >= 0; changes--) {
      packet[random.nextInt(packet.length)] = (byte) random.nextInt();
    }
    if (random.nextInt(4) == 0) {
      packet = java.util.Arrays.copyOf(packet, 12 + 4 * random.nextInt(64));
    }
    send(anybody(), packet, sealed);
  }

  /** The right BTH of any opcode, and noise behind it. */
  private void headersOnly() {
    byte[] packet = new byte[12 + 4 * random.nextInt(80)];
    random.nextBytes(packet);
    Headers.putBth(
        ByteBuffer.wrap(packet),
        random.nextInt(8) == 0 ? random.nextInt(0x60, 0x68) : random.nextInt(0x18),
        false,
        random.nextInt(4),
        random.nextInt(3) == 0 ? QUEUE_PAIR_1 : queuePair,
        random.nextBoolean(),
        Headers.psn(ByteBuffer.wrap(sample()), 0));
    send(anybody(), packet, true);
  }

  private void send(InetSocketAddress sender, byte[] packet, boolean sealed) {
    if (sender.getAddress().equals(peer) && destination(packet) == queuePair) {
      // Right address and queue pair: only the packet sequence number is left to be wrong.
      ByteBuffer bytes = ByteBuffer.wrap(packet);
      int now = Headers.psn(ByteBuffer.wrap(sample()), 0);
      int far = now + FAR + random.nextInt(RANGE);
      int psn = (random.nextBoolean() ? far : 2 * now - far) & Headers.MASK_24;
      bytes.putInt(8, bytes.getInt(8) & ~Headers.MASK_24 | psn);
    }
    if (sealed) {
      intruder.sealed(sender, ByteBuffer.wrap(packet));
    } else {
      byte[] datagram = java.util.Arrays.copyOf(packet, packet.length + 4);
      random.nextBytes(noise);
      System.arraycopy(noise, 0, datagram, packet.length, 4);
      intruder.raw(sender, datagram, datagram.length);
    }
  }

  /** What the peer did say, again. */
  private void replayed() {
    intruder.sealed(new InetSocketAddress(peer, port()), ByteBuffer.wrap(sample()));
  }

  private void management() {
    InetSocketAddress sender = anybody();
    boolean fromPeer = sender.getAddress().equals(peer);
    ByteBuffer mad = new Mad(random.nextLong(), message(sender.getAddress(), fromPeer)).encode();
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      // From the peer's address the numbers stay wrong: they are in the first eight bytes.
      int at = random.nextInt(fromPeer ? MAD_DATA + 8 : 0, Mad.LENGTH);
      mad.put(at, (byte) random.nextInt());
    }
    intruder.sealed(sender, Engine.managementPacket(mad));
  }

  private CmMessage message(InetAddress sender, boolean fromPeer) {
    int its = fromPeer ? victim.remoteId() ^ 1 + random.nextInt(0xFFFF) : victim.remoteId();
    int ours = fromPeer ? victim.localId() ^ 1 + random.nextInt(0xFFFF) : victim.localId();
    byte[] guid = fromPeer ? NONE : peerGuid;
    int two = random.nextInt(4);
    return switch (random.nextInt(12)) {
      case 0 -> new CmRtu(its, ours, NONE);
      case 1 -> new CmDreq(its, ours, queuePair, NONE);
      case 2 -> new CmDrep(its, ours, NONE);
      case 3 -> new CmMra(its, ours, two, 31, NONE);
      case 4 -> new CmRej(its, ours, two, random.nextInt(40), NONE, NONE);
      case 5 -> new CmRej(its, 0, two, 4, guid, NONE);
      case 6 -> new CmRep(its, ours, 7, 8, 9, 10, 0, false, 7, false, 11, NONE);
      case 7 -> new CmSidrRep(ours, two, 1, 2, 3, NONE);
      case 8 -> new CmSidrReq(its, 0xFFFF, service(PortSpace.UDP), header(sender));
      default -> request(sender);
    };
  }

  private long service(PortSpace space) {
    return ServiceId.of(space, random.nextInt(4) == 0 ? port() : listenerPort);
  }

  private byte[] header(InetAddress sender) {
    return new CmaHeader(port(), sender, target).before(new byte[] {1, 2, 3});
  }

  private CmReq request(InetAddress sender) {
    return CmReq.builder()
        .localCommId(random.nextInt())
        .localCaGuid(random.nextLong())
        .serviceId(service(PortSpace.TCP))
        .localQpn(random.nextInt(16, 0xFF_FFFF))
        .startingPsn(random.nextInt(0xFF_FFFF))
        .pathMtu(random.nextInt(3))
        .maxCmRetries(15)
        .localCmResponseTimeout(random.nextInt(32))
        .localAckTimeout(random.nextInt(16))
        .responderResources(random.nextInt(256))
        .initiatorDepth(random.nextInt(256))
        .localGid(sender)
        .remoteGid(target)
        .privateData(header(sender))
        .build();
  }
}
