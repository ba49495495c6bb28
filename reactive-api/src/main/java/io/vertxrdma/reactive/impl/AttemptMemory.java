package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The memory of a device, for what is allocated while connecting: closes all of it when the attempt
 * comes to nothing, so that trying again and again piles up nothing.
 */
final class AttemptMemory implements RdmaMemory {

  private final RdmaMemory memory;
  private final List<RegisteredBuffer> made = new ArrayList<>();
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

  private Future<RegisteredBuffer> kept(Future<RegisteredBuffer> making) {
    return making.onSuccess(this::keep);
  }

  private void keep(RegisteredBuffer buffer) {
    synchronized (this) {
      if (!closed) {
        made.add(buffer);
        return;
      }
    }
    buffer.close();
  }

  /** Closes what was allocated, and whatever still comes. */
  void close() {
    List<RegisteredBuffer> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(made);
      made.clear();
    }
    all.forEach(RegisteredBuffer::close);
  }
}
