package io.vertxrdma.benchmarks.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.benchmarks.endtoend.BaselineComparison;
import io.vertxrdma.benchmarks.report.Figures.Kind;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/** The plots of the page. */
final class Charts {

  private static final int[] CONNECTIONS = {1, 10, 100, 1_000};
  private static final String X = "connections";

  private final Figures figures;

  Charts(Figures figures) {
    this.figures = figures;
  }

  /** All that have something to show. */
  JsonArray json() {
    JsonArray charts = new JsonArray();
    Stream.of(
            completions(),
            besideC("Half round trip, native, beside C with C", "pingpong", "half round trip")
                .goal("goal: at most 1.1", 1.1),
            besideC(
                    "Immediates per second, native, beside C with C",
                    "rate",
                    "immediates per second")
                .goal("goal, event: at least 1.0", 1)
                .goal("goal, poll: at least 0.95", 0.95),
            roundTrips(),
            rates(),
            large(),
            growth())
        .filter(chart -> !chart.isEmpty())
        .map(Chart::json)
        .forEach(charts::add);
    return charts;
  }

  private static JsonArray points(IntToDoubleFunction value) {
    JsonArray points = new JsonArray();
    for (int connections : CONNECTIONS) {
      double y = value.applyAsDouble(connections);
      if (Double.isFinite(y)) {
        points.add(new JsonArray().add(connections).add(y));
      }
    }
    return points;
  }

  private double completion(String consumer, int connections) {
    return figures.value(Kind.JMH, Goals.completion(consumer, connections), Goals.PROCESSOR_TIME);
  }

  private Chart completions() {
    return new Chart(
            "An immediate from the poll to the application, a device that takes no time", "ns", X)
        .line("to the handler", points(count -> completion("HANDLER", count)))
        .line("to the Flowable", points(count -> completion("FLOWABLE", count)))
        .goal("goal, handler: 40", 40)
        .goal("goal, Flowable: 80", 80);
  }

  private Chart besideC(String title, String mode, String quantity) {
    Chart chart = new Chart(title, "of C with C", null);
    for (String waiting : List.of("event", "poll")) {
      for (String who : List.of(BaselineComparison.WE_SERVE, BaselineComparison.WE_CONNECT)) {
        chart.bar(
            waiting + ": " + who,
            figures.value(
                Kind.BASELINE,
                mode + ", " + waiting + ": " + who,
                quantity + " / " + BaselineComparison.C_WITH_C));
      }
    }
    return chart;
  }

  private Chart bars(String title, String unit, String quantity) {
    Chart chart = new Chart(title, unit, null);
    for (Figures.Figure figure : figures.of(Kind.END_TO_END)) {
      if (figure.quantity().equals(quantity) && !figure.subject().contains("connections")) {
        chart.bar(figure.subject(), figure.value());
      }
    }
    return chart;
  }

  private Chart roundTrips() {
    double raw = figures.value(Kind.END_TO_END, "udp, two processes", "round trip p50");
    return bars("Round trip of 8 bytes, soft provider, median", "us", "round trip p50")
        .goal("goal, two processes: 1.3 × raw UDP", 1.3 * raw);
  }

  private Chart rates() {
    return bars("Messages of 8 bytes, soft provider and raw UDP", "1/s", "messages per second")
        .goal("goal, same device: 2 million", 2_000_000);
  }

  private Chart large() {
    return bars("Writes of 1 MiB, soft provider", "MB/s", "throughput");
  }

  private Chart growth() {
    Chart chart =
        new Chart(
            "What a message takes with more connections, in comparison with one", "of one", X);
    for (String consumer : List.of("HANDLER", "FLOWABLE")) {
      chart.line(
          "JMH, " + consumer.toLowerCase(java.util.Locale.ROOT),
          points(count -> completion(consumer, count) / completion(consumer, 1)));
    }
    for (Kind kind : List.of(Kind.END_TO_END, Kind.GROWTH)) {
      chart.line(
          kind == Kind.GROWTH ? "native in the guest" : "soft, same device",
          points(count -> Goals.ofMany(figures, kind, count) / Goals.ofMany(figures, kind, 1)));
    }
    return chart.goal("goal: at most 1.2", 1.2);
  }

  /** For the page's script. */
  JsonObject data() {
    return new JsonObject().put("charts", json());
  }
}
