package io.vertxrdma.tools.tune;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.tools.TerminalLine;
import io.vertxrdma.tools.TextColumns;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Tells of a run: tables that grow and what follows from them, or one JSON object at the end. */
final class TuneReport {

  private static final String HEADING = "%8s %10s %10s %10s %9s %9s %9s%n";
  private static final String ROW = "%8d %10.0f %10.1f %10.1f %9s %9s %9d%n";
  private static final int DETAIL_INDENT = 4;

  private final PrintWriter out;
  private final TerminalLine line;
  private final boolean json;
  private final JsonObject all = new JsonObject();

  /** What is raised. */
  enum Part {
    /** Reads under way, from the server's memory. */
    READS("reads", "reads under way", "reads/s by reads under way"),
    /** Writes with immediate under way, from the server. */
    WRITES("writes", "writes with immediate under way", "writes/s by writes under way"),
    /** Receives for such writes. */
    RECEIVES(
        "receives", "receives posted for writes with immediate", "writes/s by receives posted");

    private final String key;
    private final String title;
    private final String plotTitle;

    Part(String key, String title, String plotTitle) {
      this.key = key;
      this.title = title;
      this.plotTitle = plotTitle;
    }
  }

  /**
   * A report.
   *
   * @param out where results go
   * @param line says what is being tried
   * @param json whether there is one object at the end and nothing before
   */
  TuneReport(PrintWriter out, TerminalLine line, boolean json) {
    this.out = out;
    this.line = line;
    this.json = json;
  }

  /** What is measured, before the device is known. */
  void setting(String host, int port, int length, double seconds) {
    all.put("host", host).put("port", port).put("length", length).put("seconds", seconds);
  }

  void begin(DeviceContext device) {
    all.put("device", device.name());
    text(
        String.format(
            Locale.ROOT,
            "%s to %s:%d, %d bytes each, %s s a step%n",
            device.name(),
            all.getString("host"),
            all.getInteger("port"),
            all.getInteger("length"),
            all.getDouble("seconds")));
  }

  void begin(Part part) {
    text(String.format(Locale.ROOT, "%n%s%n", part.title));
    text(
        String.format(
            Locale.ROOT,
            HEADING,
            part == Part.RECEIVES ? "RECEIVES" : "DEPTH",
            "PER SEC",
            "50%, us",
            "99%, us",
            "RNR",
            "RETRIES",
            "STARVED"));
  }

  /** A step begins. */
  void trying(Part part, int depth) {
    line.show(part.title + ": " + depth);
  }

  /** A step was measured. */
  void add(Part part, Point point) {
    if (point.isFailed()) {
      text(
          String.format(Locale.ROOT, "%8d failed: ", point.depth())
              + TextColumns.wrapped(point.failure(), 17)
              + System.lineSeparator());
      return;
    }
    text(
        String.format(
            Locale.ROOT,
            ROW,
            point.depth(),
            point.perSecond(),
            point.median(),
            point.p99(),
            counted(point.rnr()),
            counted(point.retries()),
            point.starved()));
  }

  private static String counted(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "-";
  }

  /** A sweep is complete. */
  void end(Part part, Sweep sweep) {
    JsonObject object = new JsonObject().put("points", points(sweep.points()));
    int marked = 0;
    String mark = "";
    if (sweep.knee().isPresent()) {
      Knee knee = sweep.knee().get();
      marked = knee.point().depth();
      mark = "knee";
      object
          .put("knee", marked)
          .put("kneeReason", knee.reason().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
    plot(part, sweep.points(), marked, mark);
    if (sweep.limit().isPresent()) {
      object.put("limit", sweep.limit().getAsInt()).put("limitReason", sweep.limitReason());
      text(
          TextColumns.wrapped(
                  "No more than " + sweep.limit().getAsInt() + ": " + sweep.limitReason(), 0)
              + System.lineSeparator());
    }
    all.put(part.key, object);
  }

  /** The receives are complete. */
  void end(List<Point> receives) {
    all.put(Part.RECEIVES.key, new JsonObject().put("points", points(receives)));
  }

  private static JsonArray points(List<Point> points) {
    JsonArray array = new JsonArray();
    points.forEach(point -> array.add(point.json()));
    return array;
  }

  private void plot(Part part, List<Point> points, int marked, String mark) {
    List<Plot.Bar> bars = new ArrayList<>();
    for (Point point : points) {
      if (!point.isFailed()) {
        bars.add(
            new Plot.Bar(point.depth(), point.perSecond(), point.depth() == marked ? mark : ""));
      }
    }
    if (bars.size() > 1) {
      text(String.format(Locale.ROOT, "%n%s%n", part.plotTitle) + Plot.of(bars));
    }
  }

  /** The result. */
  void end(Recommendation recommendation) {
    line.clear();
    if (json) {
      JsonObject reasons = new JsonObject();
      recommendation.reasons().forEach(reasons::put);
      out.println(
          all.put("options", recommendation.options()).put("reasons", reasons).encodePrettily());
    } else {
      out.printf("%nFor the options of server and client:%n");
      out.println(recommendation.options().encodePrettily());
      out.printf("%nWhy:%n");
      recommendation
          .reasons()
          .forEach(
              (name, reason) ->
                  out.printf(
                      "%s%n%s%s%n",
                      name, " ".repeat(DETAIL_INDENT), TextColumns.wrapped(reason, DETAIL_INDENT)));
    }
    out.flush();
  }

  private void text(String text) {
    if (!json) {
      line.clear();
      out.print(text);
      out.flush();
    }
  }
}
