package io.vertxrdma.benchmarks.endtoend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of several repeats; their medians are the result. */
final class Samples {

  private record Key(String subject, String quantity, String unit) {}

  private final Map<Key, List<Double>> values = new LinkedHashMap<>();

  void add(String subject, String quantity, double value, String unit) {
    values.computeIfAbsent(new Key(subject, quantity, unit), key -> new ArrayList<>()).add(value);
  }

  /** The percentiles of round trips that matter, in microseconds. */
  void addRoundTrips(String subject, long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    for (double percentile : new double[] {0, 50, 90, 99, 99.9}) {
      int at = (int) Math.min(sorted.length - 1, percentile / 100 * sorted.length);
      String name = percentile == 99.9 ? "p99.9" : "p" + (int) percentile;
      add(subject, "round trip " + (percentile == 0 ? "least" : name), sorted[at] / 1e3, "us");
    }
  }

  private static double median(List<Double> samples) {
    List<Double> sorted = new ArrayList<>(samples);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  /** The median of a figure; NaN if it was not measured. */
  double median(String subject, String quantity) {
    return values.entrySet().stream()
        .filter(entry -> entry.getKey().subject.equals(subject))
        .filter(entry -> entry.getKey().quantity.equals(quantity))
        .mapToDouble(entry -> median(entry.getValue()))
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Adds the quotient of two medians, under the first one's subject. */
  void addRatio(String subject, String other, String quantity) {
    add(subject, quantity + " / " + other, median(subject, quantity) / median(other, quantity), "");
  }

  List<Measurement> measurements() {
    List<Measurement> all = new ArrayList<>();
    values.forEach(
        (key, samples) ->
            all.add(new Measurement(key.subject, key.quantity, median(samples), key.unit)));
    return all;
  }
}
