package io.vertxrdma.tools.bench;

import java.util.Locale;

/** What is measured. */
enum Mode {
  /** Each immediate is answered by one: the half round trip. */
  PINGPONG,
  /** The client writes, the server counts: immediates per second. */
  RATE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
