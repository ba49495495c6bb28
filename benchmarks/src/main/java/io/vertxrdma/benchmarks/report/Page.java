package io.vertxrdma.benchmarks.report;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** The page with goals, plots and all figures: one file that needs no network. */
final class Page {

  private static final String LIBRARY =
      "/META-INF/resources/webjars/echarts/%s/dist/echarts.common.min.js";
  private static final String LIBRARY_POM =
      "/META-INF/maven/org.webjars.npm/echarts/pom.properties";

  private final Figures figures;

  Page(Figures figures) {
    this.figures = figures;
  }

  String html() throws IOException {
    String data = new Charts(figures).data().encode();
    return resource("report.html")
        .replace("<!--goals-->", goals())
        .replace("<!--figures-->", figures())
        // Nothing in the data may end the script.
        .replace("/*data*/", "const data = " + data.replace("</", "<\\/") + ";")
        .replace("/*library*/", library());
  }

  private static String library() throws IOException {
    Properties pom = new Properties();
    try (InputStream in = stream(LIBRARY_POM)) {
      pom.load(in);
    }
    return resource(String.format(LIBRARY, pom.getProperty("version")));
  }

  private static InputStream stream(String name) throws IOException {
    InputStream in = Page.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("not on the class path: " + name);
    }
    return in;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = stream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String goals() {
    StringBuilder rows = new StringBuilder();
    for (Goal goal : Goals.all()) {
      double value = goal.figure().applyAsDouble(figures);
      String state;
      String verdict;
      if (!Double.isFinite(value)) {
        state = "open";
        verdict = "not measured: " + goal.kind().command;
      } else if (goal.isMetBy(value)) {
        state = "met";
        verdict = "met";
      } else {
        state = "missed";
        verdict = "not met" + (goal.because().isEmpty() ? "" : ", because " + goal.because());
      }
      rows.append("<tr class=\"").append(state).append("\">");
      cell(rows, goal.words());
      number(rows, goal.limitText());
      number(rows, Numbers.text(value));
      cell(rows, verdict);
      rows.append("</tr>\n");
    }
    return rows.toString();
  }

  private String figures() {
    StringBuilder html = new StringBuilder();
    for (Figures.Kind kind : Figures.Kind.values()) {
      JsonObject machine = figures.machine(kind);
      if (machine == null) {
        continue;
      }
      html.append("<details><summary>").append(escaped(kind.title)).append("</summary>\n<p>");
      html.append(escaped(about(machine))).append("</p>\n<table>\n");
      for (Figures.Figure figure : figures.of(kind)) {
        html.append("<tr>");
        cell(html, figure.subject());
        cell(html, figure.quantity());
        number(html, Numbers.text(figure.value()));
        cell(html, figure.unit());
        html.append("</tr>\n");
      }
      html.append("</table></details>\n");
    }
    return html.toString();
  }

  private static String about(JsonObject machine) {
    return String.format(
        "%s, %s %s; %s; %s × %s; load %s",
        machine.getString("date"),
        machine.getString("java"),
        machine.getString("flags"),
        machine.getString("system"),
        machine.getInteger("processors"),
        machine.getString("processor"),
        Numbers.text(machine.getDouble("load")));
  }

  private static void cell(StringBuilder html, String text) {
    html.append("<td>").append(escaped(text)).append("</td>");
  }

  private static void number(StringBuilder html, String text) {
    html.append("<td class=\"number\">").append(escaped(text)).append("</td>");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
