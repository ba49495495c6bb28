package io.vertxrdma.soft.wire;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Reads and writes the odd-sized fields of connection manager messages. */
final class CmFields {
  private static final byte[] NONE = new byte[0];

  private CmFields() {}

  static int u8(ByteBuffer data, int at) {
    return data.get(at) & 0xFF;
  }

  static int u16(ByteBuffer data, int at) {
    return data.getShort(at) & 0xFFFF;
  }

  static int u24(ByteBuffer data, int at) {
    return u8(data, at) << 16 | u16(data, at + 1);
  }

  static void put24(ByteBuffer data, int at, int value) {
    data.put(at, (byte) (value >> 16));
    data.putShort(at + 1, (short) value);
  }

  static byte[] bytes(ByteBuffer data, int at, int length) {
    byte[] bytes = new byte[length];
    data.get(at, bytes);
    return bytes;
  }

  static byte[] orEmpty(byte[] bytes) {
    return bytes == null ? NONE : bytes;
  }

  /** Writes private data into its area, which is zero already. */
  static void putBytes(ByteBuffer data, int at, byte[] bytes, int room, String what) {
    if (bytes.length > room) {
      throw new IllegalArgumentException(
          what + " has " + bytes.length + " bytes, at most " + room + " fit");
    }
    data.put(at, bytes);
  }

  /** A GID as the address it stands for: IPv4 when it is {@code ::ffff:a.b.c.d}. */
  static InetAddress gid(ByteBuffer data, int at) {
    return address(bytes(data, at, 16));
  }

  static void putGid(ByteBuffer data, int at, InetAddress address) {
    if (address instanceof Inet4Address) {
      data.putShort(at + 10, (short) 0xFFFF);
      data.put(at + 12, address.getAddress());
    } else {
      data.put(at, address.getAddress());
    }
  }

  static InetAddress address(byte[] raw) {
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes", impossible);
    }
  }
}
