package io.vertxrdma.tools.bench;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Words the results: the last line as the yardstick in C does, what it does not have above it. */
final class Figures {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final BenchOptions options;

  Figures(BenchOptions options) {
    this.options = options;
  }

  /** Of the client in pingpong. */
  String halfRoundTrip(long nanos, Latency latency) {
    double micros = nanos / 2 / NANOS_PER_MICRO / options.count;
    if (options.json) {
      return object()
          .put("halfRoundTripMicros", rounded(micros))
          .put("latencyMicros", latency.json())
          .encodePrettily();
    }
    return latency.table()
        + System.lineSeparator()
        + format("%s: %d of %d bytes, half round trip %.2f us", label(Mode.PINGPONG), micros);
  }

  /** Of the server in rate, which counts what arrives. */
  String rate(long nanos) {
    double rate = perSecond(nanos);
    return options.json
        ? object().put("perSecond", rounded(rate)).encodePrettily()
        : format("%s: %d of %d bytes, %.0f immediates/s", label(Mode.RATE), rate);
  }

  /** Of the client in rate. */
  String load(long nanos, Latency latency) {
    double rate = perSecond(nanos);
    if (options.json) {
      return object()
          .put("depth", options.depth())
          .put("perSecond", rounded(rate))
          .put("latencyMicros", latency.json())
          .encodePrettily();
    }
    return latency.table()
        + System.lineSeparator()
        + format(
            "%s: %d of %d bytes, %.0f operations/s, " + options.depth() + " under way",
            label(options.verb),
            rate);
  }

  private String label(Object what) {
    return what + " " + options.waiting();
  }

  private String format(String format, String label, double figure) {
    return String.format(Locale.ROOT, format, label, options.count, options.length, figure);
  }

  private JsonObject object() {
    return new JsonObject()
        .put("verb", options.verb.toString())
        .put("mode", options.mode().toString())
        .put("count", options.count)
        .put("length", options.length)
        .put("spinMicros", options.spin);
  }

  private double perSecond(long nanos) {
    return options.count / (Math.max(1, nanos) / NANOS_PER_SECOND);
  }

  private static BigDecimal rounded(double value) {
    return BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP);
  }
}
