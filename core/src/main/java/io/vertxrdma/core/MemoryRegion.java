package io.vertxrdma.core;

import java.nio.ByteBuffer;

/** Registered memory ({@code struct ibv_mr}). */
public interface MemoryRegion extends AutoCloseable {

  /** The virtual address of the first byte. */
  long address();

  /** The length in bytes. */
  long length();

  /** The key for own work requests. */
  int localKey();

  /** The key a peer needs; 32 bits, unsigned. */
  int remoteKey();

  /** The memory as a buffer of its own position and limit; throws after close. */
  ByteBuffer buffer();

  /** Deregisters. Blocking. Idempotent. After it returns no peer can touch the memory. */
  @Override
  void close();
}
