package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RegisteredPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The registered memory that one server or client has on one device; closes with it. */
final class MemoryImpl implements RdmaMemory {

  private static final int PAGE = 4096;

  private final RdmaLoop loop;
  private final DeviceLoop device;
  private final Set<RegisteredBufferImpl> live = ConcurrentHashMap.newKeySet();
  private final AtomicResults atomicResults = new AtomicResults(this);
  private volatile boolean closed;

  MemoryImpl(DeviceLoop device) {
    this.loop = device.loop();
    this.device = device;
  }

  DeviceLoop device() {
    return device;
  }

  AtomicResults atomicResults() {
    return atomicResults;
  }

  @Override
  public Future<RegisteredBuffer> allocate(int size, Set<AccessFlag> access) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be 1 or more bytes, was " + size);
    }
    if (access.isEmpty()) {
      throw new IllegalArgumentException("access must name at least one right");
    }
    checkAccess(access);
    checkOpen();
    // Whole pages of its own: nothing else shares a page that the device writes to.
    return register(() -> pageAligned(size), access);
  }

  @Override
  public Future<RegisteredBuffer> register(ByteBuffer direct, Set<AccessFlag> access) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException(
          "a heap buffer can't be registered, the garbage collector moves it; use a direct buffer");
    }
    if (!direct.hasRemaining()) {
      throw new IllegalArgumentException("an empty buffer can't be registered");
    }
    if (direct.isReadOnly() && writable(access)) {
      throw new IllegalArgumentException("a read-only buffer can't be given " + access);
    }
    checkAccess(access);
    checkOpen();
    return register(() -> direct, access);
  }

  @Override
  public Future<RegisteredBuffer> copyOf(Buffer bytes) {
    return allocate(Math.max(1, bytes.length())).map(made -> made.setBuffer(0, bytes));
  }

  @Override
  public RegisteredPool pool(long maxBytes) {
    checkOpen();
    return new PoolImpl(this, maxBytes);
  }

  /** A promise that completes on the loop. */
  <T> Promise<T> promise() {
    return loop.context().promise();
  }

  private interface Source {
    ByteBuffer get();
  }

  private Future<RegisteredBuffer> register(Source source, Set<AccessFlag> access) {
    Set<AccessFlag> rights = Set.copyOf(access);
    return loop.blocking(
        () -> {
          MemoryRegion region = device.protectionDomain().register(source.get(), rights);
          RegisteredBufferImpl made =
              RegisteredBufferImpl.ofRegion(
                  this, region, rights.contains(AccessFlag.LOCAL_WRITE), loop.context().promise());
          live.add(made);
          if (closed) {
            made.close();
            throw closedException();
          }
          return (RegisteredBuffer) made;
        });
  }

  Future<Void> deregister(RegisteredBufferImpl buffer, MemoryRegion region) {
    return loop.blocking(
        () -> {
          region.close();
          live.remove(buffer);
          return null;
        });
  }

  /** Closes what is still open. */
  Future<Void> close() {
    closed = true;
    List<Future<Void>> closing = new ArrayList<>();
    live.forEach(buffer -> closing.add(buffer.close()));
    return Future.join(closing).mapEmpty();
  }

  boolean isClosed() {
    return closed;
  }

  private void checkOpen() {
    if (closed) {
      throw closedException();
    }
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the server or client this memory belongs to is closed");
  }

  private static boolean writable(Set<AccessFlag> access) {
    return access.contains(AccessFlag.LOCAL_WRITE)
        || access.contains(AccessFlag.REMOTE_WRITE)
        || access.contains(AccessFlag.REMOTE_ATOMIC);
  }

  private static void checkAccess(Set<AccessFlag> access) {
    boolean remote =
        access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC);
    if (remote && !access.contains(AccessFlag.LOCAL_WRITE)) {
      throw new IllegalArgumentException(access + " needs LOCAL_WRITE too (ibv_reg_mr(3))");
    }
  }

  private static ByteBuffer pageAligned(int size) {
    long pages = (size + (long) PAGE - 1) / PAGE * PAGE;
    if (pages + PAGE > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("size must be below 2 GiB, was " + size);
    }
    ByteBuffer whole = ByteBuffer.allocateDirect((int) pages + PAGE).alignedSlice(PAGE);
    return whole.slice(0, size);
  }
}
