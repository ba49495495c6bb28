package io.vertxrdma.tools.bench;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long operations took: their distribution, to three digits. Recording allocates nothing. */
public final class Latency {

  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final String[] COLUMNS = {"min", "50%", "90%", "99%", "99.9%", "max"};
  private static final String[] KEYS = {"min", "p50", "p90", "p99", "p99_9", "max"};
  private static final double NANOS_PER_MICRO = 1e3;
  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;
  private static final double WITH_DECIMALS = 1e6;

  private final Histogram nanos = new Histogram(LONGEST, DIGITS);

  /** Ready to record: its classes are loaded and used before anybody's clock runs. */
  public Latency() {
    nanos.recordValue(1);
    nanos.reset();
  }

  /** Adds an operation, 0 nanoseconds or more; more than an hour counts as an hour. */
  public void record(long duration) {
    nanos.recordValue(Math.min(duration, LONGEST));
  }

  /** Two lines of a table: the columns' names, and microseconds. */
  public String table() {
    StringBuilder heading = new StringBuilder(String.format("%-11s", "latency, us"));
    StringBuilder row = new StringBuilder(" ".repeat(heading.length()));
    double[] values = values();
    for (int i = 0; i < COLUMNS.length; i++) {
      heading.append(String.format(" %10s", COLUMNS[i]));
      // An hour in microseconds has as many digits as a column.
      String format = values[i] < WITH_DECIMALS ? " %10.2f" : " %10.0f";
      row.append(String.format(Locale.ROOT, format, values[i]));
    }
    return heading + System.lineSeparator() + row;
  }

  /** The same, with the mean, in microseconds. */
  public JsonObject json() {
    JsonObject object = new JsonObject();
    double[] values = values();
    for (int i = 0; i < KEYS.length; i++) {
      object.put(KEYS[i], rounded(values[i]));
    }
    return object.put("mean", rounded(nanos.getMean() / NANOS_PER_MICRO));
  }

  private double[] values() {
    double[] values = new double[PERCENTILES.length + 2];
    values[0] = nanos.getMinValue() / NANOS_PER_MICRO;
    for (int i = 0; i < PERCENTILES.length; i++) {
      values[i + 1] = nanos.getValueAtPercentile(PERCENTILES[i]) / NANOS_PER_MICRO;
    }
    values[values.length - 1] = nanos.getMaxValue() / NANOS_PER_MICRO;
    return values;
  }

  private static BigDecimal rounded(double value) {
    return BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP);
  }
}
