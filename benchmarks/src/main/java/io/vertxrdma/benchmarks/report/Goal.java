package io.vertxrdma.benchmarks.report;

import java.util.function.ToDoubleFunction;

/**
 * What a figure should be.
 *
 * @param kind whose file has the figure
 * @param words what it is
 * @param limit the least or most that is well
 * @param atMost whether the limit is the most
 * @param unit of figure and limit
 * @param figure how to get it; NaN when it was not measured
 * @param because what is in the way, told when the goal is not met
 */
record Goal(
    Figures.Kind kind,
    String words,
    double limit,
    boolean atMost,
    String unit,
    ToDoubleFunction<Figures> figure,
    String because) {

  /** What is measured in bytes for each operation is 0 when it rounds to that. */
  private static final double NOTHING = 0.05;

  /** Whether a figure is as it should be. */
  boolean isMetBy(double value) {
    return atMost ? value <= Math.max(limit, NOTHING) : value >= limit;
  }

  /** The limit in words. */
  String limitText() {
    return (atMost ? "≤ " : "≥ ") + Numbers.text(limit) + (unit.isEmpty() ? "" : " " + unit);
  }
}
