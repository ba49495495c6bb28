package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * A message where the peer wrote it, in its slot of an {@link InboxRing}, until it is released.
 *
 * <p>The peer gets its slots back in order: a message that is held holds back those after it.
 */
public interface RingMessage {

  /** Its bytes, 0 or more. */
  int length();

  /** The slot it lies in. */
  int slot();

  /**
   * A read-only view without copy, big-endian, from position 0 to the length. Once the message is
   * released the peer writes there.
   *
   * @throws IllegalStateException when it was released, or the ring's memory was closed
   */
  ByteBuffer byteBuffer();

  /**
   * Copies the bytes out.
   *
   * @throws IllegalStateException when it was released, or the ring's memory was closed
   */
  Buffer copy();

  /** Copies the bytes out and releases the message. */
  default Buffer take() {
    try {
      return copy();
    } finally {
      release();
    }
  }

  /** Gives the slot back to the peer; any thread, idempotent. */
  void release();
}
