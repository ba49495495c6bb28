package io.vertxrdma.soft.wire;

/** Times behind the 5-bit codes of the protocol (ibv_modify_qp(3)). */
public final class RnrTimer {

  private static final int[] MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  private RnrTimer() {}

  /** How long the sender waits after "receiver not ready"; code 0 is the longest. */
  public static long nanos(int code) {
    return MICROSECONDS[code & 0x1F] * 1_000L;
  }

  /** An acknowledgement or CM response timeout: 4.096 µs · 2^code; 0 for "none" with code 0. */
  public static long ackTimeoutNanos(int code) {
    return (code & 0x1F) == 0 ? 0 : 4_096L << (code & 0x1F);
  }
}
