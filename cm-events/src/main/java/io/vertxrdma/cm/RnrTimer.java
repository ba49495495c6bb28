package io.vertxrdma.cm;

import java.util.Locale;

/**
 * What the codes of the RNR timer mean: how long a sender waits after "receiver not ready" (IBTA
 * volume 1, table "Encoding for RNR NAK Timer Field"; ibv_modify_qp(3), {@code min_rnr_timer}).
 */
public final class RnrTimer {

  /** The highest code. */
  public static final int MAX_CODE = 31;

  private static final int[] MICROS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  private RnrTimer() {}

  /**
   * The wait of a code in microseconds. Code 0 is the longest, 655.36 ms.
   *
   * @param code 0..31
   * @throws IllegalArgumentException for any other code
   */
  public static int micros(int code) {
    if (code < 0 || code > MAX_CODE) {
      throw new IllegalArgumentException("RNR timer code must be 0..31, was " + code);
    }
    return MICROS[code];
  }

  /** The wait of a code in words, for example {@code 0.64 ms}. */
  public static String text(int code) {
    return String.format(Locale.ROOT, "%.2f ms", micros(code) / 1000.0);
  }
}
