package io.vertxrdma.benchmarks.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the benchmarks left in their files, as far as they were run. */
final class Figures {

  /** A benchmark with a file of its own; some run in the guest, and at another time. */
  enum Kind {
    /** JMH. */
    JMH("jmh-figures.json", "One process: JMH", "./benchmarks/run jmh"),
    /** Soft provider, two sides. */
    END_TO_END("end-to-end.json", "Soft provider: two sides", "./benchmarks/run end-to-end"),
    /** Beside the C peer. */
    BASELINE(
        "baseline.json",
        "Native provider in the guest: beside C",
        "system-tests/guest/rdma-guest --timeout 1800 benchmarks/guest-baseline"),
    /** Many native connections. */
    GROWTH(
        "growth.json",
        "Native provider in the guest: many connections",
        "system-tests/guest/rdma-guest --timeout 1800 benchmarks/guest-baseline --growth"),
    /** Beside cmtime. */
    CMTIME(
        "cmtime.json",
        "Native provider in the guest: connecting, beside cmtime",
        "system-tests/guest/rdma-guest benchmarks/guest-cmtime");

    private final String file;
    final String title;

    /** What measures it. */
    final String command;

    Kind(String file, String title, String command) {
      this.file = file;
      this.title = title;
      this.command = command;
    }

    /** Its name in JSON. */
    String key() {
      return file.replace("-figures", "").replace(".json", "");
    }
  }

  /**
   * A figure.
   *
   * @param value NaN for what could not be measured
   */
  record Figure(Kind kind, String subject, String quantity, double value, String unit) {}

  private final Map<Kind, JsonObject> machines = new EnumMap<>(Kind.class);
  private final List<Figure> all = new ArrayList<>();

  private Figures() {}

  /** Reads the files that are in a directory. */
  static Figures in(Path directory) throws IOException {
    Figures figures = new Figures();
    for (Kind kind : Kind.values()) {
      Path file = directory.resolve(kind.file);
      if (Files.exists(file)) {
        figures.add(kind, new JsonObject(Files.readString(file)));
      }
    }
    return figures;
  }

  private void add(Kind kind, JsonObject file) {
    machines.put(kind, file.getJsonObject("machine"));
    JsonArray figures = file.getJsonArray("figures");
    for (int i = 0; i < figures.size(); i++) {
      JsonObject figure = figures.getJsonObject(i);
      Double value = figure.getDouble("value");
      all.add(
          new Figure(
              kind,
              figure.getString("subject"),
              figure.getString("quantity"),
              value == null ? Double.NaN : value,
              figure.getString("unit")));
    }
  }

  /** Where and when that was measured; null if it was not. */
  JsonObject machine(Kind kind) {
    return machines.get(kind);
  }

  /** All of one kind, in their order. */
  List<Figure> of(Kind kind) {
    return all.stream().filter(figure -> figure.kind() == kind).toList();
  }

  /** One value; NaN if it is not there. */
  double value(Kind kind, String subject, String quantity) {
    return all.stream()
        .filter(figure -> figure.kind() == kind)
        .filter(figure -> figure.subject().equals(subject))
        .filter(figure -> figure.quantity().equals(quantity))
        .mapToDouble(Figure::value)
        .findFirst()
        .orElse(Double.NaN);
  }
}
