package io.vertxrdma.tools.bench;

import java.util.Locale;

/** Words the results as the yardstick in C does. */
final class Figures {

  private final BenchOptions options;

  Figures(BenchOptions options) {
    this.options = options;
  }

  String halfRoundTrip(long nanos) {
    return String.format(
        Locale.ROOT,
        "%s: %d of %d bytes, half round trip %.2f us",
        options.label(),
        options.count,
        options.length,
        nanos / 2_000.0 / options.count);
  }

  String rate(long nanos) {
    return String.format(
        Locale.ROOT,
        "%s: %d of %d bytes, %.0f immediates/s",
        options.label(),
        options.count,
        options.length,
        options.count / (Math.max(1, nanos) * 1e-9));
  }
}
