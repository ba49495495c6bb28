package io.vertxrdma.benchmarks;

import io.vertxrdma.benchmarks.endtoend.EndToEnd;
import io.vertxrdma.benchmarks.endtoend.Machine;
import io.vertxrdma.benchmarks.endtoend.Measurement;
import io.vertxrdma.benchmarks.endtoend.Settings;
import io.vertxrdma.benchmarks.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks and writes their figures, and of all figures that lie beside them a report.
 */
public final class Main {

  private static final String USAGE =
      """
      usage: run [--quick] [all | jmh [REGEX] | end-to-end | report]
        --quick   fewer and shorter samples, for a first look
      Writes benchmarks/target/jmh.json, end-to-end.json, report.txt, report.json and report.html.
      """;

  private final Path directory;
  private final boolean quick;
  private final List<String> report = new ArrayList<>();

  private Main(Path directory, boolean quick) {
    this.directory = directory;
    this.quick = quick;
  }

  /** The first argument is the directory of the reports; the others are as in the usage. */
  public static void main(String[] arguments)
      throws IOException, RunnerException, TimeoutException, InterruptedException {
    List<String> rest = new ArrayList<>(List.of(arguments));
    Path directory = Path.of(rest.remove(0));
    boolean quick = rest.remove("--quick");
    String what = rest.isEmpty() ? "all" : rest.remove(0);
    String regex = what.equals("jmh") && !rest.isEmpty() ? rest.remove(0) : ".*";
    if (!rest.isEmpty() || !List.of("all", "jmh", "end-to-end", "report").contains(what)) {
      System.err.print(USAGE);
      System.exit(64);
    }
    Files.createDirectories(directory);
    Main main = new Main(directory, quick);
    if (what.equals("all") || what.equals("jmh")) {
      main.jmh(regex);
    }
    if (what.equals("all") || what.equals("end-to-end")) {
      main.endToEnd();
    }
    main.report.add("");
    main.report.addAll(Report.write(directory));
    Files.write(directory.resolve("report.txt"), main.report);
    main.report.forEach(System.out::println);
  }

  private void jmh(String regex) throws RunnerException, IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(regex)
            .forks(1)
            .warmupIterations(quick ? 3 : 8)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(quick ? 3 : 8)
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuTimeProfiler.class)
            .shouldFailOnError(true)
            .resultFormat(ResultFormatType.JSON)
            .result(directory.resolve("jmh.json").toString());
    Collection<RunResult> results = new Runner(options.build()).run();
    report.add(row("JMH benchmark", "processor time", "on the clock", "allocated"));
    List<Measurement> figures = new ArrayList<>();
    for (RunResult result : results) {
      StringBuilder name =
          new StringBuilder(
              result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1"));
      for (String key : result.getParams().getParamsKeys()) {
        name.append(", ").append(key).append(' ').append(result.getParams().getParam(key));
      }
      String subject = name.toString();
      double cpu = secondary(result, CpuTimeProfiler.LABEL);
      double clock = result.getPrimaryResult().getScore();
      double bytes = secondary(result, "gc.alloc.rate.norm");
      figures.add(new Measurement(subject, "processor time", cpu, "ns"));
      figures.add(new Measurement(subject, "on the clock", clock, "ns"));
      figures.add(new Measurement(subject, "allocated", bytes, "B"));
      report.add(row(subject, figure(cpu) + " ns", figure(clock) + " ns", figure(bytes) + " B"));
    }
    Files.writeString(
        directory.resolve("jmh-figures.json"), Machine.json(figures).encodePrettily());
    report.add("");
  }

  // JMH's own type is raw.
  @SuppressWarnings("rawtypes")
  private static double secondary(RunResult result, String label) {
    return result.getSecondaryResults().entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(label))
        .mapToDouble(entry -> entry.getValue().getScore())
        .findFirst()
        .orElse(Double.NaN);
  }

  private void endToEnd() throws IOException, TimeoutException, InterruptedException {
    List<Measurement> measured =
        EndToEnd.run(quick ? Settings.QUICK : Settings.FULL, System.err::println);
    Files.writeString(
        directory.resolve("end-to-end.json"), Machine.json(measured).encodePrettily());
    String subject = "";
    for (Measurement each : measured) {
      if (!each.subject().equals(subject)) {
        subject = each.subject();
        report.add(subject);
      }
      report.add(
          String.format("  %-50s %14s %s", each.quantity(), figure(each.value()), each.unit()));
    }
  }

  private static String row(String name, String... figures) {
    StringBuilder row = new StringBuilder(String.format("%-75s", name));
    for (String figure : figures) {
      row.append(String.format("%16s", figure));
    }
    return row.toString();
  }

  private static String figure(double value) {
    return String.format(Math.abs(value) < 100 ? "%.2f" : "%,.0f", value);
  }
}
