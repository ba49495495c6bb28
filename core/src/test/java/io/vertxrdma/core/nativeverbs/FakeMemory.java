package io.vertxrdma.core.nativeverbs;

import com.kenai.jffi.MemoryIO;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Native memory of the fake library. Freed blocks are overwritten and kept until {@link #close}, so
 * that a use after free shows as wrong bytes or a recorded violation and never as a crash.
 */
final class FakeMemory implements AutoCloseable {

  static final byte POISON = (byte) 0xDD;

  private static final MemoryIO IO = MemoryIO.getInstance();

  private final Map<Long, Integer> live = new HashMap<>();
  private final Set<Long> freed = new HashSet<>();

  long allocate(int size) {
    long address = IO.allocateMemory(size, true);
    live.put(address, size);
    return address;
  }

  long allocate(byte[] bytes) {
    long address = allocate(bytes.length);
    write(address, bytes);
    return address;
  }

  /** Overwrites a block and sets it aside; false when it is not a live one. */
  boolean free(long address) {
    Integer size = live.remove(address);
    if (size == null) {
      return false;
    }
    IO.setMemory(address, size, POISON);
    freed.add(address);
    return true;
  }

  boolean wasFreed(long address) {
    return freed.contains(address);
  }

  void put(long address, int size, long value) {
    switch (size) {
      case 1 -> IO.putByte(address, (byte) value);
      case 2 -> IO.putShort(address, (short) value);
      case 4 -> IO.putInt(address, (int) value);
      case 8 -> IO.putLong(address, value);
      default -> throw new IllegalArgumentException("no field has " + size + " bytes");
    }
  }

  int u8(long address) {
    return IO.getByte(address) & 0xFF;
  }

  int i32(long address) {
    return IO.getInt(address);
  }

  long i64(long address) {
    return IO.getLong(address);
  }

  byte[] read(long address, int length) {
    byte[] bytes = new byte[length];
    IO.getByteArray(address, bytes, 0, length);
    return bytes;
  }

  void write(long address, byte[] bytes) {
    IO.putByteArray(address, bytes, 0, bytes.length);
  }

  void copy(long from, long to, long length) {
    IO.memmove(to, from, length);
  }

  /** The bytes of a sockaddr: 16 for IPv4, 28 for IPv6, 2 (the family) for anything else. */
  byte[] sockaddr(long address) {
    if (address == 0) {
      return new byte[0];
    }
    int family = IO.getShort(address);
    return read(address, family == 2 ? 16 : family == 10 ? 28 : 2);
  }

  static InetSocketAddress address(byte[] sockaddr) {
    if (sockaddr.length < 16) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(sockaddr);
    int port = bytes.getShort(2) & 0xFFFF;
    byte[] host = new byte[sockaddr.length == 16 ? 4 : 16];
    bytes.position(sockaddr.length == 16 ? 4 : 8).get(host);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host), port);
    } catch (UnknownHostException e) {
      throw new AssertionError("4 and 16 bytes are lengths of addresses", e);
    }
  }

  static byte[] sockaddr(InetSocketAddress address) {
    byte[] host = address.getAddress().getAddress();
    boolean v4 = host.length == 4;
    ByteBuffer bytes = ByteBuffer.allocate(v4 ? 16 : 28).order(ByteOrder.nativeOrder());
    bytes.putShort(0, (short) (v4 ? 2 : 10));
    bytes.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) address.getPort());
    bytes.position(v4 ? 4 : 8).put(host);
    return bytes.array();
  }

  @Override
  public void close() {
    freed.forEach(IO::freeMemory);
    live.keySet().forEach(IO::freeMemory);
    freed.clear();
    live.clear();
  }
}
