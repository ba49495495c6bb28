package io.vertxrdma.core;

import java.nio.ByteBuffer;
import java.util.Set;

/** Groups the queue pairs and memory that may work together ({@code struct ibv_pd}). */
public interface ProtectionDomain extends AutoCloseable {

  /** The device it belongs to. */
  DeviceContext device();

  /**
   * Registers the bytes from position to limit of a direct buffer. Blocking: pins pages. The buffer
   * is kept reachable until the region is closed.
   *
   * @throws IllegalArgumentException for a heap buffer, an empty one, a read-only buffer with write
   *     access, or REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE
   * @throws MemoryLockException when the locked memory limit is too low
   */
  MemoryRegion register(ByteBuffer buffer, Set<AccessFlag> access);

  /** Creates a shared receive queue. Blocking. */
  SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather);

  /** Frees the domain. Blocking. Idempotent. */
  @Override
  void close();
}
