package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * What a receive brought: bytes in the memory of that receive, and perhaps an immediate.
 *
 * <p>The receive is posted again only when this is released, by {@link #release} or {@link #take}.
 */
public interface ReceivedPayload {

  /** Bytes, 0 or more. */
  int length();

  /** Whether the peer sent an immediate with it. */
  boolean hasImmediate();

  /**
   * The immediate, 0..4294967295.
   *
   * @throws IllegalStateException when it has none
   */
  long immediate();

  /**
   * A read-only view without copy, big-endian, from position 0 to the length. Its content is
   * undefined once this is released.
   *
   * @throws IllegalStateException when it was released
   */
  ByteBuffer byteBuffer();

  /**
   * Copies the bytes and releases this.
   *
   * @throws IllegalStateException when it was released already
   */
  Buffer take();

  /** Lets the receive be posted again. Idempotent; any thread. */
  void release();
}
