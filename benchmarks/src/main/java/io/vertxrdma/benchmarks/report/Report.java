package io.vertxrdma.benchmarks.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Brings the files of all benchmarks that lie in a directory together: {@code report.json} and
 * {@code report.html}.
 */
public final class Report {

  private final Figures figures;

  private Report(Figures figures) {
    this.figures = figures;
  }

  /** Argument: the directory. */
  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0])).forEach(System.out::println);
  }

  /**
   * Writes both.
   *
   * @return the goals and whether they are met, for people
   */
  public static List<String> write(Path directory) throws IOException {
    Figures figures = Figures.in(directory);
    Report report = new Report(figures);
    Files.writeString(directory.resolve("report.json"), report.json().encodePrettily());
    Files.writeString(directory.resolve("report.html"), new Page(figures).html());
    List<String> lines = report.goals();
    lines.add("plots: " + directory.resolve("report.html"));
    return lines;
  }

  private JsonObject json() {
    JsonObject machines = new JsonObject();
    JsonArray all = new JsonArray();
    for (Figures.Kind kind : Figures.Kind.values()) {
      if (figures.machine(kind) != null) {
        machines.put(kind.key(), figures.machine(kind));
      }
      for (Figures.Figure figure : figures.of(kind)) {
        all.add(
            new JsonObject()
                .put("kind", kind.key())
                .put("subject", figure.subject())
                .put("quantity", figure.quantity())
                .put("value", finite(figure.value()))
                .put("unit", figure.unit()));
      }
    }
    JsonArray goals = new JsonArray();
    for (Goal goal : Goals.all()) {
      double value = goal.figure().applyAsDouble(figures);
      boolean measured = Double.isFinite(value);
      JsonObject json =
          new JsonObject()
              .put("kind", goal.kind().key())
              .put("goal", goal.words())
              .put(goal.atMost() ? "atMost" : "atLeast", goal.limit())
              .put("unit", goal.unit())
              .put("value", finite(value))
              .put("met", measured ? goal.isMetBy(value) : null);
      if (measured && !goal.isMetBy(value)) {
        json.put("because", goal.because());
      }
      goals.add(json);
    }
    return new JsonObject().put("machines", machines).put("goals", goals).put("figures", all);
  }

  /** JSON has no word for what could not be measured. */
  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private List<String> goals() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format("%-75s%16s%16s", "goal", "", "measured"));
    for (Goal goal : Goals.all()) {
      double value = goal.figure().applyAsDouble(figures);
      String verdict = "";
      if (Double.isFinite(value) && !goal.isMetBy(value)) {
        verdict = "  not met";
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "%-75s%16s%16s%s",
              goal.words(),
              goal.limitText(),
              Numbers.text(value),
              verdict));
    }
    return lines;
  }
}
