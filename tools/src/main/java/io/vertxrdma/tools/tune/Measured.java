package io.vertxrdma.tools.tune;

import io.vertx.core.buffer.Buffer;
import java.util.OptionalLong;

/**
 * The figures of the side that had operations under way; the server writes them to the client's
 * memory when it was the one.
 *
 * @param operations how many completed
 * @param nanos within what time
 * @param medianNanos from posting to completion
 * @param p99Nanos the same of which 99 % took no longer
 * @param rnr answers "receiver not ready" that the device counted meanwhile, if it does
 * @param retries how often it repeated packets, if it counts that
 */
record Measured(
    long operations,
    long nanos,
    long medianNanos,
    long p99Nanos,
    OptionalLong rnr,
    OptionalLong retries) {

  /** Bytes that {@link #encode} makes: six numbers, big-endian; -1 is one that is not counted. */
  static final int BYTES = 6 * Long.BYTES;

  Buffer encode() {
    return Buffer.buffer(BYTES)
        .appendLong(operations)
        .appendLong(nanos)
        .appendLong(medianNanos)
        .appendLong(p99Nanos)
        .appendLong(rnr.orElse(-1))
        .appendLong(retries.orElse(-1));
  }

  static Measured decode(Buffer bytes) {
    return new Measured(
        bytes.getLong(0),
        bytes.getLong(8),
        bytes.getLong(16),
        bytes.getLong(24),
        counted(bytes.getLong(32)),
        counted(bytes.getLong(40)));
  }

  private static OptionalLong counted(long value) {
    return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  Point point(int depth, long starved) {
    return new Point(
        depth,
        operations * 1e9 / Math.max(1, nanos),
        medianNanos / 1e3,
        p99Nanos / 1e3,
        rnr,
        retries,
        starved,
        "");
  }
}
