package io.vertxrdma.core.nativeverbs;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads and writes native memory by address, and allocates it. */
final class Memory {

  private static final MemoryIO IO = MemoryIO.getInstance();

  private Memory() {}

  static long getLong(long address) {
    return IO.getLong(address);
  }

  static int getInt(long address) {
    return IO.getInt(address);
  }

  static int getUnsignedShort(long address) {
    return IO.getShort(address) & 0xFFFF;
  }

  static int getUnsignedByte(long address) {
    return IO.getByte(address) & 0xFF;
  }

  static long getUnsignedInt(long address) {
    return IO.getInt(address) & 0xFFFF_FFFFL;
  }

  static void putLong(long address, long value) {
    IO.putLong(address, value);
  }

  static void putInt(long address, int value) {
    IO.putInt(address, value);
  }

  static void putShort(long address, int value) {
    IO.putShort(address, (short) value);
  }

  static void putByte(long address, int value) {
    IO.putByte(address, (byte) value);
  }

  static byte[] getBytes(long address, int length) {
    byte[] bytes = new byte[length];
    IO.getByteArray(address, bytes, 0, length);
    return bytes;
  }

  static void putBytes(long address, byte[] bytes) {
    IO.putByteArray(address, bytes, 0, bytes.length);
  }

  static void copy(long from, long to, int length) {
    IO.copyMemory(from, to, length);
  }

  /** A C string of at most {@code limit} bytes. */
  static String getString(long address, int limit) {
    return new String(IO.getZeroTerminatedByteArray(address, limit), StandardCharsets.UTF_8);
  }

  /** The address of a direct buffer's element 0. */
  static long addressOf(ByteBuffer direct) {
    return IO.getDirectBufferAddress(direct);
  }

  /** Zeroed memory for the time of a call; to be closed. */
  static Block allocate(int size) {
    return new Block(size);
  }

  /** Zeroed memory that goes with the object that keeps the arena. */
  static Arena arena(int size) {
    return new Arena(size);
  }

  /** Native memory that is freed by hand. */
  static final class Block implements AutoCloseable {

    private final long address;

    private Block(int size) {
      address = IO.allocateMemory(size, true);
      if (address == 0) {
        throw new OutOfMemoryError("no native memory for " + size + " bytes");
      }
    }

    long address() {
      return address;
    }

    @Override
    public void close() {
      IO.freeMemory(address);
    }
  }

  /**
   * Native memory that the garbage collector frees, so that its owner needs no close. Keep the
   * arena itself, not just its address.
   */
  static final class Arena {

    private final ByteBuffer buffer;
    private final long address;

    private Arena(int size) {
      buffer = ByteBuffer.allocateDirect(size);
      address = addressOf(buffer);
    }

    long address() {
      return address;
    }

    int size() {
      return buffer.capacity();
    }
  }
}
