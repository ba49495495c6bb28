package io.vertxrdma.soft.cm;

/**
 * Timers and bounds of connection management; the defaults are those of the kernel (core/cm.c,
 * core/cma.c of 6.12).
 *
 * @param requestMillis how long a REQ or DREQ waits for its answer before it is sent again
 * @param replyMillis how long a REP waits for its RTU at most
 * @param maxRetries how often a message is sent again, 0..15; a REP 5 times at most, since the
 *     address it goes to may be forged
 * @param ackTimeout local ACK timeout code 1..31 of connections that set none; also the time a
 *     connection stays in timewait
 * @param maxHalfOpenPerListener requests of one listener that are not established yet; more are
 *     dropped in silence
 * @param maxHalfOpenPerSource the same for one peer address
 */
public record CmOptions(
    long requestMillis,
    long replyMillis,
    int maxRetries,
    int ackTimeout,
    int maxHalfOpenPerListener,
    int maxHalfOpenPerSource) {

  /** The kernel's. */
  public static final CmOptions DEFAULT = new CmOptions(4608, 4096, 15, 17, 1024, 512);

  /** Checks the ranges. */
  public CmOptions {
    if (requestMillis < 1 || replyMillis < 1) {
      throw new IllegalArgumentException(
          "requestMillis and replyMillis must be 1 or more, were "
              + requestMillis
              + " and "
              + replyMillis);
    }
    if (maxRetries < 0 || maxRetries > 15) {
      throw new IllegalArgumentException("maxRetries must be 0..15, was " + maxRetries);
    }
    if (ackTimeout < 1 || ackTimeout > 31) {
      throw new IllegalArgumentException("ackTimeout must be 1..31, was " + ackTimeout);
    }
    if (maxHalfOpenPerListener < 1 || maxHalfOpenPerSource < 1) {
      throw new IllegalArgumentException("half-open bounds must be 1 or more");
    }
  }

  /** The code 0..31 of the time we take to answer, as it stands in a REQ. */
  int responseTimeoutCode() {
    return Math.min(31, 8 + 64 - Long.numberOfLeadingZeros(replyMillis - 1));
  }

  /** Milliseconds of a timeout code: 4.096 µs × 2^code, as the kernel rounds it. */
  static long millis(int code) {
    return 1L << Math.max(0, code - 8);
  }
}
