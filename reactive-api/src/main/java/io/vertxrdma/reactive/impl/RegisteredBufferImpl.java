package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One memory region. The count of users starts at 1 for the owner; each operation adds one for as
 * long as it runs, and who brings it to 0 has the region deregistered.
 */
final class RegisteredBufferImpl implements RegisteredBuffer {

  private final MemoryImpl owner;
  private final MemoryRegion region;
  private final ByteBuffer bytes;
  private final int capacity;
  private final int localKey;
  private final long address;
  private final RemoteMemory remote;
  private final boolean locallyWritable;
  private final AtomicInteger users = new AtomicInteger(1);
  private final Promise<Void> closed;
  private volatile boolean closing;

  RegisteredBufferImpl(
      MemoryImpl owner, MemoryRegion region, boolean locallyWritable, Promise<Void> closed) {
    this.locallyWritable = locallyWritable;
    this.owner = owner;
    this.region = region;
    this.bytes = region.buffer();
    this.capacity = (int) region.length();
    this.localKey = region.localKey();
    this.address = region.address();
    this.remote = new RemoteMemory(address, region.remoteKey(), capacity);
    this.closed = closed;
  }

  MemoryImpl owner() {
    return owner;
  }

  long address() {
    return address;
  }

  int localKey() {
    return localKey;
  }

  MemoryRegion region() {
    return region;
  }

  /** Whether this side's device may write to it. */
  boolean isLocallyWritable() {
    return locallyWritable;
  }

  /** Pins the memory for one operation. */
  void retain() {
    int count;
    do {
      count = users.get();
      if (count == 0 || closing) {
        throw closedException();
      }
    } while (!users.compareAndSet(count, count + 1));
  }

  /** Ends a pin. */
  void release() {
    if (users.decrementAndGet() == 0) {
      owner.deregister(this).onComplete(closed);
    }
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public RemoteMemory remote() {
    check();
    return remote;
  }

  @Override
  public Slice slice(int offset, int length) {
    check();
    Objects.checkFromIndexSize(offset, length, capacity);
    return new Slice(this, offset, length);
  }

  @Override
  public RegisteredBuffer setBytes(int index, byte[] source) {
    check();
    Objects.checkFromIndexSize(index, source.length, capacity);
    bytes.duplicate().position(index).put(source);
    return this;
  }

  @Override
  public RegisteredBuffer setBuffer(int index, Buffer source) {
    return setBytes(index, source.getBytes());
  }

  @Override
  public byte[] getBytes(int index, int length) {
    check();
    Objects.checkFromIndexSize(index, length, capacity);
    byte[] copy = new byte[length];
    bytes.duplicate().position(index).get(copy);
    return copy;
  }

  @Override
  public Buffer getBuffer(int index, int length) {
    return Buffer.buffer(getBytes(index, length));
  }

  @Override
  public ByteBuffer byteBuffer() {
    check();
    return bytes.duplicate();
  }

  @Override
  public Future<Void> close() {
    synchronized (this) {
      if (closing) {
        return closed.future();
      }
      closing = true;
    }
    release();
    return closed.future();
  }

  private void check() {
    if (closing) {
      throw closedException();
    }
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the registered buffer is closed");
  }

  @Override
  public String toString() {
    return "RegisteredBuffer[" + capacity + " bytes" + (closing ? ", closed]" : "]");
  }
}
