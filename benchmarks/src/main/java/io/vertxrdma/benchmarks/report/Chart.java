package io.vertxrdma.benchmarks.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A plot, in words that the page's script understands. What was not measured is left out. */
final class Chart {

  private final JsonObject json;
  private final JsonArray series = new JsonArray();
  private final JsonArray goals = new JsonArray();

  /**
   * An empty one.
   *
   * @param unit of the values
   * @param x what the x axis of lines has; null for bars
   */
  Chart(String title, String unit, String x) {
    json =
        new JsonObject()
            .put("title", title)
            .put("unit", unit)
            .put("x", x)
            .put("series", series)
            .put("goals", goals);
  }

  /** Adds a bar. */
  Chart bar(String name, double value) {
    if (Double.isFinite(value)) {
      series.add(new JsonObject().put("name", name).put("value", value));
    }
    return this;
  }

  /** Adds a line: an array of points of two numbers. */
  Chart line(String name, JsonArray points) {
    if (!points.isEmpty()) {
      series.add(new JsonObject().put("name", name).put("points", points));
    }
    return this;
  }

  /** Adds the line that the others should stay on one side of. */
  Chart goal(String name, double value) {
    if (Double.isFinite(value)) {
      goals.add(new JsonObject().put("name", name).put("value", value));
    }
    return this;
  }

  boolean isEmpty() {
    return series.isEmpty();
  }

  JsonObject json() {
    return json;
  }
}
