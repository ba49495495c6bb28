package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RegisteredPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The memory of a device, for what is allocated while connecting: closes all of it when the attempt
 * comes to nothing, so that trying again and again piles up nothing.
 */
final class AttemptMemory implements RdmaMemory {

  private final RdmaMemory memory;
  private final List<Supplier<Future<Void>>> made = new ArrayList<>();
  private boolean closed;

  AttemptMemory(RdmaMemory memory) {
    this.memory = memory;
  }

  @Override
  public Future<RegisteredBuffer> allocate(int size, Set<AccessFlag> access) {
    return kept(memory.allocate(size, access));
  }

  @Override
  public Future<RegisteredBuffer> register(ByteBuffer direct, Set<AccessFlag> access) {
    return kept(memory.register(direct, access));
  }

  @Override
  public Future<RegisteredBuffer> copyOf(Buffer bytes) {
    return kept(memory.copyOf(bytes));
  }

  @Override
  public RegisteredPool pool(long maxBytes) {
    RegisteredPool pool = memory.pool(maxBytes);
    keep(pool::close);
    return pool;
  }

  private Future<RegisteredBuffer> kept(Future<RegisteredBuffer> making) {
    return making.onSuccess(buffer -> keep(buffer::close));
  }

  private void keep(Supplier<Future<Void>> close) {
    synchronized (this) {
      if (!closed) {
        made.add(close);
        return;
      }
    }
    close.get();
  }

  /** Closes what was allocated, and whatever still comes. */
  void close() {
    List<Supplier<Future<Void>>> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(made);
      made.clear();
    }
    all.forEach(Supplier::get);
  }
}
