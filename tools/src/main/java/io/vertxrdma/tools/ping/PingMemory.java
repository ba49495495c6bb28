package io.vertxrdma.tools.ping;

import io.vertxrdma.tools.verbs.VerbsOptions;

/** How either side lays out its registered memory. */
public final class PingMemory {

  /** Where the message to be sent is. */
  static final int MESSAGE = 0;

  /** Where the data start. */
  static final int DATA = 64;

  private PingMemory() {}

  /** What a connection needs for pings of up to that many bytes. */
  public static VerbsOptions options(int size) {
    return new VerbsOptions(8, 2, Advertisement.BYTES, bytes(size));
  }

  /** Bytes of registered memory: a message, a source and a sink. */
  static int bytes(int size) {
    return DATA + 2 * size;
  }
}
