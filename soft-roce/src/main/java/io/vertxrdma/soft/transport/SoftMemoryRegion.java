package io.vertxrdma.soft.transport;

import io.vertxrdma.core.MemoryRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Registered memory: a buffer with a device address, two keys and rights. */
final class SoftMemoryRegion extends SoftObject implements MemoryRegion {

  static final String KIND = "memory regions";

  final SoftProtectionDomain domain;
  final long start;
  final int lkey;
  final int rkey;
  final int access;
  private final ByteBuffer buffer;
  private final ByteBuffer memory;
  private final int size;

  SoftMemoryRegion(SoftProtectionDomain domain, ByteBuffer slice, int access) {
    super(domain.engine, "memory region of " + slice.capacity() + " bytes");
    MemoryRegistry registry = domain.engine.memory();
    this.domain = domain;
    this.access = access;
    this.buffer = slice;
    this.memory = slice.duplicate().order(ByteOrder.nativeOrder());
    this.size = slice.capacity();
    this.start = registry.allocateAddress(size);
    this.lkey = registry.allocateKey();
    int key;
    do {
      key = registry.allocateKey();
    } while (key == lkey);
    this.rkey = key;
  }

  /**
   * Whether all those bytes lie inside; never overflows.
   *
   * @param address unsigned
   * @param length 0 or more
   */
  boolean contains(long address, long length) {
    long offset = address - start;
    return offset >= 0 && offset <= size - length;
  }

  /** Copies into the memory; the range was checked. */
  void put(long address, ByteBuffer source, int at, int length) {
    memory.put((int) (address - start), source, at, length);
  }

  /** Appends bytes of the memory to a buffer; the range was checked. */
  void get(long address, ByteBuffer target, int length) {
    int position = target.position();
    target.put(position, memory, (int) (address - start), length);
    target.position(position + length);
  }

  /** Copies bytes of the memory into an array; the range was checked. */
  void get(long address, byte[] target, int at, int length) {
    memory.get((int) (address - start), target, at, length);
  }

  /** Eight bytes in the byte order of this machine. */
  long getLong(long address) {
    return memory.getLong((int) (address - start));
  }

  void putLong(long address, long value) {
    memory.putLong((int) (address - start), value);
  }

  @Override
  public long address() {
    requireOpen();
    return start;
  }

  @Override
  public long length() {
    requireOpen();
    return size;
  }

  @Override
  public int localKey() {
    requireOpen();
    return lkey;
  }

  @Override
  public int remoteKey() {
    requireOpen();
    return rkey;
  }

  @Override
  public ByteBuffer buffer() {
    requireOpen();
    return buffer.duplicate().order(buffer.order());
  }

  @Override
  void destroy() {
    engine.memory().remove(this);
    domain.users.release(KIND);
  }
}
