package io.vertxrdma.reactive;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * Memory the device may read or write: the source of a write, or the target of a peer's.
 *
 * <p>Page-aligned and outside the Java heap. Operations pin it: memory is given back only after the
 * last one ended, whatever the caller does. Reading and writing bytes is as thread-safe as a byte
 * array. Every call after {@link #close} throws {@link IllegalStateException}.
 */
public interface RegisteredBuffer {

  /** Bytes. */
  int capacity();

  /** What a peer needs to write here or read from here, as far as access was given. */
  RemoteMemory remote();

  /** The whole buffer as a slice. */
  default Slice all() {
    return slice(0, capacity());
  }

  /**
   * A part of it, as the source of an operation.
   *
   * @throws IndexOutOfBoundsException when it does not lie within
   */
  Slice slice(int offset, int length);

  /**
   * Writes bytes.
   *
   * @throws IndexOutOfBoundsException when they do not fit
   */
  RegisteredBuffer setBytes(int index, byte[] bytes);

  /** Writes the bytes of a Vert.x buffer. */
  RegisteredBuffer setBuffer(int index, Buffer bytes);

  /** Copies bytes out. */
  byte[] getBytes(int index, int length);

  /** Copies bytes out as a Vert.x buffer. */
  Buffer getBuffer(int index, int length);

  /**
   * A part of it as a Vert.x buffer without copy: what is written to one is seen in the other. It
   * can be read after the close, when its content is undefined.
   *
   * @throws IndexOutOfBoundsException when it does not lie within
   */
  Buffer view(int index, int length);

  /** A view without copy, big-endian, position 0, limit at the capacity. */
  ByteBuffer byteBuffer();

  /**
   * Gives the memory back as soon as no operation uses it; idempotent. When the future completes no
   * peer can write here any more.
   */
  Future<Void> close();

  /**
   * A part of a registered buffer.
   *
   * @param buffer the buffer
   * @param offset where it starts
   * @param length its bytes
   */
  record Slice(RegisteredBuffer buffer, int offset, int length) {}
}
