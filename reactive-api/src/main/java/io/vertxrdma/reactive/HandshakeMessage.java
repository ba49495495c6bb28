package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;

/**
 * What one end says of itself in a {@link Handshake}.
 *
 * @param version the version to speak: the highest that both ends know; in a message of one's own
 *     its highest
 * @param minVersion the lowest version it speaks, 0..255
 * @param maxVersion the highest version it speaks, 0..255
 * @param role what it is, 0..63, as the application numbers roles
 * @param capabilities what it can do, one bit each, as the application numbers them
 * @param application the application's own bytes, in their own length
 */
public record HandshakeMessage(
    int version, int minVersion, int maxVersion, int role, int capabilities, Buffer application) {

  /** Copies the bytes. */
  public HandshakeMessage {
    application = application.copy();
  }

  /** A copy of the application's bytes. */
  @Override
  public Buffer application() {
    return application.copy();
  }

  /** Whether it has all of these capability bits. */
  public boolean has(int bits) {
    return (capabilities & bits) == bits;
  }
}
