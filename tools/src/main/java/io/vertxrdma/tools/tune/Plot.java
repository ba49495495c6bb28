package io.vertxrdma.tools.tune;

import java.util.List;
import java.util.Locale;

/** Draws rates as horizontal bars, in 80 columns and in characters that every terminal has. */
final class Plot {

  private static final int BAR = 50;

  private Plot() {}

  /**
   * One bar.
   *
   * @param label a number of at most 8 digits
   * @param value 0 or more
   * @param mark what to write after it, at most 15 characters, or ""
   */
  record Bar(int label, double value, String mark) {}

  /** The lines; the highest bar is 50 characters long, and none above 0 is shorter than one. */
  static String of(List<Bar> bars) {
    double highest = bars.stream().mapToDouble(Bar::value).max().orElse(0);
    StringBuilder lines = new StringBuilder();
    for (Bar bar : bars) {
      int length = highest > 0 ? (int) Math.ceil(bar.value() / highest * BAR) : 0;
      lines
          .append(String.format(Locale.ROOT, "%8d |", bar.label()))
          .append("#".repeat(length))
          .append(bar.mark().isEmpty() ? "" : " <- " + bar.mark())
          .append(System.lineSeparator());
    }
    return lines.toString();
  }
}
