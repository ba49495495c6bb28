package io.vertxrdma.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.benchmarks.endtoend.Machine;
import io.vertxrdma.benchmarks.endtoend.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of figures that were made up. */
class ReportTest {

  private static final String WE_SERVE = "rate, event: C client, our server";

  @TempDir private Path directory;

  private JsonObject report() throws IOException {
    Files.writeString(
        directory.resolve("jmh-figures.json"),
        Machine.json(
                List.of(
                    new Measurement(Goals.completion("HANDLER", 1), "processor time", 31, "ns"),
                    new Measurement(Goals.completion("HANDLER", 1_000), "processor time", 62, "ns"),
                    new Measurement(Goals.completion("HANDLER", 1), "allocated", 0.001, "B")))
            .encode());
    Files.writeString(
        directory.resolve("baseline.json"),
        Machine.json(
                List.of(
                    new Measurement(
                        WE_SERVE, "immediates per second / C with C", Double.NaN, "</script>")))
            .encode());
    Report.write(directory);
    return new JsonObject(Files.readString(directory.resolve("report.json")));
  }

  private static JsonObject goal(JsonObject report, String words) {
    JsonArray goals = report.getJsonArray("goals");
    return goals.stream()
        .map(JsonObject.class::cast)
        .filter(goal -> goal.getString("goal").equals(words))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void goalsSayWhetherTheyAreMetAndWhyNot() throws IOException {
    JsonObject report = report();

    assertThat(goal(report, "poll to handler").getBoolean("met")).isTrue();
    assertThat(goal(report, "poll to handler, allocated").getBoolean("met")).isTrue();
    JsonObject growth = goal(report, "poll to handler, 1,000 connections / 1 connection");
    assertThat(growth.getDouble("value")).isEqualTo(2.0);
    assertThat(growth.getBoolean("met")).isFalse();
    assertThat(growth.getString("because")).isNotEmpty();
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() throws IOException {
    JsonObject report = report();

    assertThat(goal(report, "poll to Flowable").getValue("met")).isNull();
    assertThat(goal(report, WE_SERVE + " / C with C").getValue("met")).isNull();
  }

  @Test
  void allFiguresComeWithTheMachineTheyAreFrom() throws IOException {
    JsonObject report = report();

    assertThat(report.getJsonArray("figures")).hasSize(4);
    assertThat(report.getJsonObject("machines").fieldNames())
        .containsExactlyInAnyOrder("jmh", "baseline");
    assertThat(report.getJsonObject("machines").getJsonObject("jmh").getString("java"))
        .contains(Runtime.version().toString());
  }

  @Test
  void thePageNeedsNothingButItself() throws IOException {
    report();

    String page = Files.readString(directory.resolve("report.html"));
    assertThat(page)
        .contains("const data = {\"charts\":[{")
        .contains("not met, because ")
        .contains("&lt;/script&gt;")
        .doesNotContain("/*library*/", "/*data*/", "<!--goals-->", "<!--figures-->");
    // The library's own text aside.
    assertThat(page.substring(0, page.indexOf("<script>")))
        .doesNotContainPattern("<(script|link|img)\\s+[^>]*(src|href)=");
  }
}
