package io.vertxrdma.benchmarks.endtoend;

import java.util.List;

/**
 * How much is measured.
 *
 * @param warmUpRounds round trips that don't count
 * @param rounds round trips that do
 * @param warmUpMillis of a stream, in processor time of both sides
 * @param windowMillis of one sample of a stream, likewise
 * @param windows samples of a stream
 * @param repeats of everything, in turn, so that no figure has the quiet minute for itself
 * @param connections how many at once, in turn; the last is the many
 */
public record Settings(
    int warmUpRounds,
    int rounds,
    int warmUpMillis,
    int windowMillis,
    int windows,
    int repeats,
    List<Integer> connections) {

  private static final List<Integer> GROWING = List.of(1, 10, 100, 1_000);

  /** For figures. */
  public static final Settings FULL = new Settings(20_000, 30_000, 4_000, 500, 6, 3, GROWING);

  /** For a first look. */
  public static final Settings QUICK = new Settings(10_000, 10_000, 2_500, 300, 3, 1, GROWING);

  /** To see that everything runs. */
  public static final Settings SMOKE = new Settings(10, 50, 1, 50, 1, 1, List.of(1, 20));
}
