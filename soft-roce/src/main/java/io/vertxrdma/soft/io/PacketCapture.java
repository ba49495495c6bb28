package io.vertxrdma.soft.io;

import io.vertxrdma.soft.LinkDecorator;
import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what soft devices send to a file that Wireshark and tshark read: no capture rights needed,
 * and packets between two queue pairs of one device, which no interface sees, are in it, too. Give
 * {@link #decorator()} to {@link io.vertxrdma.soft.SoftProviderOptions#setLinkDecorator}; several
 * providers may share one capture. Thread-safe.
 *
 * <p>Format: pcap of <a href="https://www.tcpdump.org/manpages/pcap-savefile.5.html">
 * pcap-savefile(5)</a> with nanoseconds, link type RAW. Packets are as on the wire of an epoll
 * event loop: IPv4 with identification 0 and DF, TTL 64, UDP checksum computed. Not in it: type of
 * service, and whatever routers change. On a UDP port other than 4791 tell tshark {@code -d
 * udp.port==PORT,infiniband}.
 */
public final class PacketCapture implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PacketCapture.class);

  private static final int NANOSECOND_MAGIC = 0xA1B23C4D;
  private static final int VERSION = 0x0002_0004;
  private static final int SNAP_LENGTH = 65_535;
  private static final int LINKTYPE_RAW = 101;
  private static final int HEADER = 24;
  private static final int RECORD_HEADER = 16;
  private static final int IPV4 = 20;
  private static final int IPV6 = 40;
  private static final int UDP = 8;
  private static final int PROTOCOL_UDP = 17;
  private static final int HOPS = 64;

  private final Path file;
  private final int port;
  private final OutputStream out;
  private final InvariantCrc crc = new InvariantCrc();
  private final ByteBuffer bytes =
      ByteBuffer.allocate(
          RECORD_HEADER + IPV6 + UDP + InvariantCrc.MAX_PACKET + InvariantCrc.LENGTH);
  private IOException failure;
  private boolean closed;

  private PacketCapture(Path file, int port) throws IOException {
    this.file = file;
    this.port = port;
    this.out = new BufferedOutputStream(Files.newOutputStream(file));
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header.putInt(NANOSECOND_MAGIC).putInt(VERSION).putLong(0);
    header.putInt(SNAP_LENGTH).putInt(LINKTYPE_RAW);
    out.write(header.array());
  }

  /**
   * Starts a capture; a file that exists is overwritten.
   *
   * @param udpPort the port of the devices, see {@link
   *     io.vertxrdma.soft.SoftProviderOptions#setUdpPort}
   */
  public static PacketCapture open(Path file, int udpPort) throws IOException {
    return new PacketCapture(file, udpPort);
  }

  /** Has the capture take what a device sends. */
  public LinkDecorator decorator() {
    return (link, timers) -> new CapturedLink(link, this);
  }

  /**
   * Appends a packet, BTH through pad, from position to limit.
   *
   * @param bit the bit of packet and CRC that is wrong, or {@link CrcSeal#INTACT}
   */
  synchronized void write(InetAddress from, InetAddress to, ByteBuffer packet, int bit) {
    if (closed || failure != null) {
      return;
    }
    int length = packet.remaining() + InvariantCrc.LENGTH;
    bytes.clear().position(RECORD_HEADER);
    if (from instanceof Inet4Address) {
      putIpv4(from, to, length);
    } else {
      putIpv6(from, to, length);
    }
    putUdp(from, to, packet, length, bit);
    putRecordHeader(bytes.position() - RECORD_HEADER);
    try {
      out.write(bytes.array(), 0, bytes.position());
    } catch (IOException e) {
      // The traffic goes on; close() says it.
      failure = e;
      log.warn("no more packets in {}: {}", file, e.toString());
    }
  }

  private void putRecordHeader(int length) {
    long now = System.currentTimeMillis();
    bytes.putInt(0, (int) TimeUnit.MILLISECONDS.toSeconds(now));
    bytes.putInt(4, (int) TimeUnit.MILLISECONDS.toNanos(now % 1000));
    bytes.putInt(8, length);
    bytes.putInt(12, length);
  }

  private void putIpv4(InetAddress from, InetAddress to, int length) {
    int at = bytes.position();
    bytes.put((byte) 0x45).put((byte) 0).putShort((short) (IPV4 + UDP + length));
    // Identification 0, don't fragment.
    bytes.putInt(0x4000).put((byte) HOPS).put((byte) PROTOCOL_UDP).putShort((short) 0);
    bytes.put(from.getAddress()).put(to.getAddress());
    bytes.putShort(at + 10, (short) ~folded(sum(bytes, at, IPV4)));
  }

  private void putIpv6(InetAddress from, InetAddress to, int length) {
    bytes.putInt(0x6000_0000).putShort((short) (UDP + length));
    bytes.put((byte) PROTOCOL_UDP).put((byte) HOPS);
    bytes.put(from.getAddress()).put(to.getAddress());
  }

  private void putUdp(InetAddress from, InetAddress to, ByteBuffer packet, int length, int bit) {
    int at = bytes.position();
    bytes.putShort((short) port).putShort((short) port);
    bytes.putShort((short) (UDP + length)).putShort((short) 0);
    int start = bytes.position();
    bytes.put(packet.duplicate());
    bytes.putInt(Integer.reverseBytes(crc.compute(IpPath.of(from, to), port, port, packet)));
    if (bit != CrcSeal.INTACT) {
      int wrong = bit % (length * Byte.SIZE);
      int index = start + wrong / Byte.SIZE;
      bytes.put(index, (byte) (bytes.get(index) ^ 1 << wrong % Byte.SIZE));
    }
    ByteBuffer addresses = ByteBuffer.allocate(2 * from.getAddress().length);
    addresses.put(from.getAddress()).put(to.getAddress());
    long sum = sum(addresses, 0, addresses.capacity()) + PROTOCOL_UDP + UDP + length;
    int checksum = ~folded(sum + sum(bytes, at, UDP + length)) & 0xFFFF;
    // 0 would mean none (RFC 768).
    bytes.putShort(at + 6, (short) (checksum == 0 ? 0xFFFF : checksum));
  }

  /** The sum of 16-bit words; an even number of bytes. */
  private static long sum(ByteBuffer from, int at, int length) {
    long sum = 0;
    for (int i = at; i < at + length; i += Short.BYTES) {
      sum += from.getShort(i) & 0xFFFF;
    }
    return sum;
  }

  private static int folded(long sum) {
    long folded = sum;
    while (folded > 0xFFFF) {
      folded = (folded & 0xFFFF) + (folded >>> 16);
    }
    return (int) folded;
  }

  /**
   * Ends the file; traffic goes on. Idempotent.
   *
   * @throws IOException when something could not be written, also earlier
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    out.close();
    if (failure != null) {
      throw failure;
    }
  }
}
