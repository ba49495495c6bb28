package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * A message that a peer's send brought; see {@link RdmaConnection#messages()}.
 *
 * <p>It lies in the memory of the receive it used up. That receive is posted again only when the
 * message is released, by {@link #release} or {@link #take}: who keeps messages makes the peer
 * wait.
 */
public interface ReceivedMessage {

  /** Where it came from. */
  RdmaConnection connection();

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
   * undefined once the message is released.
   *
   * @throws IllegalStateException when the message was released
   */
  ByteBuffer byteBuffer();

  /**
   * Copies the bytes and releases the message.
   *
   * @throws IllegalStateException when it was released already
   */
  Buffer take();

  /** Lets the receive be posted again. Idempotent; any thread. */
  void release();
}
