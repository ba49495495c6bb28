package io.vertxrdma.tools.tune;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What one step measured.
 *
 * @param depth what was raised: operations under way, or receives
 * @param perSecond operations completed per second; 0 when it failed
 * @param median microseconds from posting an operation to its completion
 * @param p99 the same of which 99 % took no longer
 * @param rnr answers "receiver not ready" that the sending device counted; empty when it does not
 *     count them
 * @param retries how often the sending device repeated packets; likewise
 * @param starved how often the receiving side had no receive left
 * @param failure what ended the connection before the time was over, or ""
 */
record Point(
    int depth,
    double perSecond,
    double median,
    double p99,
    OptionalLong rnr,
    OptionalLong retries,
    long starved,
    String failure) {

  Point {
    Objects.requireNonNull(failure, "failure");
  }

  /** One without trouble. */
  static Point of(int depth, double perSecond, double median, double p99) {
    OptionalLong none = OptionalLong.of(0);
    return new Point(depth, perSecond, median, p99, none, none, 0, "");
  }

  /** One whose connection broke. */
  static Point failed(int depth, String failure) {
    OptionalLong unknown = OptionalLong.empty();
    return new Point(depth, 0, 0, 0, unknown, unknown, 0, failure);
  }

  boolean isFailed() {
    return !failure.isEmpty();
  }

  /** Whether the sender had to wait for receives, as far as anybody counted. */
  boolean waitedForReceives() {
    return rnr.orElse(starved) > 0;
  }

  JsonObject json() {
    JsonObject json = new JsonObject().put("depth", depth);
    if (isFailed()) {
      return json.put("failure", failure);
    }
    return json.put("perSecond", rounded(perSecond))
        .put("medianMicros", rounded(median))
        .put("p99Micros", rounded(p99))
        .put("rnr", rnr.isPresent() ? rnr.getAsLong() : null)
        .put("retries", retries.isPresent() ? retries.getAsLong() : null)
        .put("starved", starved);
  }

  private static BigDecimal rounded(double value) {
    return BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP);
  }
}
