package io.vertxrdma.benchmarks.report;

import java.util.Locale;

/** Figures as people read them. */
final class Numbers {

  private static final double WHOLE = 1_000;
  private static final double TENTHS = 100;

  private Numbers() {}

  /** Three digits or so. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (size == Math.rint(size) || size >= WHOLE) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= TENTHS ? "%.1f" : "%.2f", value);
  }
}
