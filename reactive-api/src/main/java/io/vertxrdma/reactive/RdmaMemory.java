package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Registered memory on the device of a connection. Registering pins pages and is done on a worker.
 * What was not closed is closed with the server or client it came from.
 */
public interface RdmaMemory {

  /** Memory to send from. No peer can write to it. */
  default Future<RegisteredBuffer> allocate(int size) {
    return allocate(size, Set.of(AccessFlag.LOCAL_WRITE));
  }

  /** Memory that peers may write to. */
  default Future<RegisteredBuffer> allocateInbox(int size) {
    return allocate(size, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
  }

  /**
   * Zeroed memory with the rights given.
   *
   * @param size 1 or more bytes
   * @param access REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE
   * @throws IllegalArgumentException for a size below 1 or rights that contradict
   */
  Future<RegisteredBuffer> allocate(int size, Set<AccessFlag> access);

  /**
   * Registers a direct buffer of the caller's, from position to limit; it is kept reachable. No
   * right at all makes memory to send from that even this side's device only reads, which works for
   * read-only buffers.
   *
   * @throws IllegalArgumentException for a heap buffer, an empty one, or a read-only one with write
   *     access
   */
  Future<RegisteredBuffer> register(ByteBuffer direct, Set<AccessFlag> access);

  /** Memory to send from, filled with a copy of the bytes (one byte at least is allocated). */
  Future<RegisteredBuffer> copyOf(Buffer bytes);

  /**
   * Makes a pool of memory to send from and read into, for applications that need much of it for a
   * short time. Nothing is registered before it is needed.
   *
   * @param maxBytes how much may be registered, {@value RegisteredPool#SLAB} or more
   * @throws IllegalArgumentException for less than that
   */
  RegisteredPool pool(long maxBytes);

  /** {@link #allocate(int)}, when subscribed to. */
  default Single<RegisteredBuffer> rxAllocate(int size) {
    return Rx.single(() -> allocate(size));
  }

  /** {@link #allocateInbox(int)}, when subscribed to. */
  default Single<RegisteredBuffer> rxAllocateInbox(int size) {
    return Rx.single(() -> allocateInbox(size));
  }

  /** {@link #copyOf(Buffer)}, when subscribed to. */
  default Single<RegisteredBuffer> rxCopyOf(Buffer bytes) {
    return Rx.single(() -> copyOf(bytes));
  }
}
