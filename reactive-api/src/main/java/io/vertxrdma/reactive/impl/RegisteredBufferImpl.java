package io.vertxrdma.reactive.impl;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Registered memory: a region, or a piece of one. The count of users starts at 1 for the owner;
 * each operation adds one for as long as it runs, and who brings it to 0 has the memory freed.
 */
final class RegisteredBufferImpl implements RegisteredBuffer {

  private final MemoryImpl owner;
  // The region that this is a piece of, which operations on the piece have to keep too.
  private final RegisteredBufferImpl whole;
  private final ByteBuffer bytes;
  private final int capacity;
  private final int localKey;
  private final long address;
  private final RemoteMemory remote;
  private final boolean locallyWritable;
  private final AtomicInteger users = new AtomicInteger(1);
  private final Supplier<Future<Void>> free;
  private final Promise<Void> closed;
  private volatile boolean closing;

  private RegisteredBufferImpl(
      MemoryImpl owner,
      RegisteredBufferImpl whole,
      ByteBuffer bytes,
      long address,
      int localKey,
      int remoteKey,
      boolean locallyWritable,
      Function<RegisteredBufferImpl, Future<Void>> free,
      Promise<Void> closed) {
    this.owner = owner;
    this.whole = whole;
    this.bytes = bytes;
    this.capacity = bytes.limit();
    this.address = address;
    this.localKey = localKey;
    this.remote = new RemoteMemory(address, remoteKey, capacity);
    this.locallyWritable = locallyWritable;
    this.free = () -> free.apply(this);
    this.closed = closed;
  }

  /** A whole region, deregistered in the end. */
  static RegisteredBufferImpl ofRegion(
      MemoryImpl owner, MemoryRegion region, boolean locallyWritable, Promise<Void> closed) {
    return new RegisteredBufferImpl(
        owner,
        null,
        region.buffer(),
        region.address(),
        region.localKey(),
        region.remoteKey(),
        locallyWritable,
        buffer -> owner.deregister(buffer, region),
        closed);
  }

  /**
   * A piece of this, with a life of its own.
   *
   * @param free called once when nothing uses it any more
   */
  RegisteredBufferImpl piece(
      int offset, int length, Consumer<RegisteredBufferImpl> free, Promise<Void> pieceClosed) {
    return new RegisteredBufferImpl(
        owner,
        this,
        bytes.slice(offset, length),
        address + offset,
        localKey,
        remote.key(),
        locallyWritable,
        buffer -> {
          free.accept(buffer);
          return Future.succeededFuture();
        },
        pieceClosed);
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

  /** Whether this side's device may write to it. */
  boolean isLocallyWritable() {
    return locallyWritable;
  }

  /**
   * Pins the memory for one operation.
   *
   * @throws IllegalStateException when it, or what it is a piece of, is closed
   */
  void retain() {
    if (whole != null) {
      whole.retain();
    }
    int count;
    do {
      count = users.get();
      if (count == 0 || closing) {
        if (whole != null) {
          whole.release();
        }
        throw closedException();
      }
    } while (!users.compareAndSet(count, count + 1));
  }

  /** Ends a pin. */
  void release() {
    unuse();
    if (whole != null) {
      whole.release();
    }
  }

  private void unuse() {
    if (users.decrementAndGet() == 0) {
      free.get().onComplete(closed);
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
  public Buffer view(int index, int length) {
    check();
    Objects.checkFromIndexSize(index, length, capacity);
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes.slice(index, length)));
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
    unuse();
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
