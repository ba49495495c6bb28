package io.vertxrdma.benchmarks.endtoend;

import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.metrics.ConnectStep;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Connecting and disconnecting with the native provider beside {@link CmTime}, the two in turn on
 * the same device, so that the ratios hold on a machine whose speed changes by the minute.
 */
public final class ConnectComparison {

  private static final int CMTIME_PORT = 7_600;
  private static final int WARM_UP = 200;
  private static final int ONE_BY_ONE = 50;
  private static final String CONNECTED = "all steps until connected";
  private static final String DISCONNECTED = "disconnect and destroy";
  private static final List<String> STEPS =
      List.of(
          "create id",
          "bind addr",
          "resolve addr",
          "resolve route",
          "create qp",
          "connect",
          "disconnect",
          "destroy");
  private static final Map<ConnectStep, String> NAMES =
      Map.of(
          ConnectStep.RESOLVE_ADDRESS,
          "resolve addr",
          ConnectStep.RESOLVE_ROUTE,
          "resolve route",
          ConnectStep.CONNECT,
          "connect");

  private final Samples samples = new Samples();
  private final CmTime cmtime;
  private final Connects connects;
  private final ConnectFarSide farSide;

  private ConnectComparison(String address, Connects connects, ConnectFarSide farSide) {
    this.cmtime = new CmTime(address, CMTIME_PORT);
    this.connects = connects;
    this.farSide = farSide;
  }

  /** Arguments: directory of the report, address of an RDMA device, runs, connections at once. */
  public static void main(String[] arguments)
      throws IOException, TimeoutException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    String address = arguments[1];
    int runs = Integer.parseInt(arguments[2]);
    List<Integer> counts = new ArrayList<>();
    for (String count : List.of(arguments).subList(3, arguments.length)) {
      counts.add(Integer.valueOf(count));
    }
    List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    try (ConnectFarSide farSide = ConnectFarSide.start("native", address, options);
        Connects connects = new Connects(RdmaProviders.named("native"), address, farSide.port())) {
      ConnectComparison comparison = new ConnectComparison(address, connects, farSide);
      comparison.warmUp();
      for (int i = 1; i <= runs; i++) {
        System.err.println("run " + i + " of " + runs);
        for (int count : counts) {
          comparison.compare(count);
        }
        comparison.compareAlone();
      }
      comparison.report(directory, counts);
    }
  }

  private void warmUp() throws IOException, TimeoutException {
    System.err.println("warming up");
    connects.atOnce(WARM_UP / 2);
    connects.oneByOne(WARM_UP / 2);
    farSide.awaitIdle();
    connects.atOnce(WARM_UP);
    farSide.awaitIdle();
  }

  private static String ours(int count) {
    return (count == 1 ? "one by one" : count + " at once") + ", ours";
  }

  private static String theirs(int count) {
    return (count == 1 ? "one alone" : count + " at once") + ", cmtime";
  }

  private void compare(int count) throws IOException, TimeoutException, InterruptedException {
    theirs(theirs(count), cmtime.run(count));
    Connects.Times times = connects.atOnce(count);
    farSide.awaitIdle();
    samples.add(ours(count), CONNECTED, times.connect(), "ms");
    samples.add(ours(count), DISCONNECTED, times.disconnect(), "ms");
    times
        .steps()
        .forEach(
            (step, millis) ->
                samples.add(
                    ours(count), NAMES.get(step) + ", mean of a connection", millis / count, "ms"));
  }

  /** Its one connection against each of ours. */
  private void compareAlone() throws IOException, TimeoutException, InterruptedException {
    theirs(theirs(1), cmtime.run(1));
    Connects.Times times = connects.oneByOne(ONE_BY_ONE);
    farSide.awaitIdle();
    samples.add(ours(1), CONNECTED, times.connect() / ONE_BY_ONE, "ms");
    samples.add(ours(1), DISCONNECTED, times.disconnect() / ONE_BY_ONE, "ms");
    times
        .steps()
        .forEach(
            (step, millis) -> samples.add(ours(1), NAMES.get(step), millis / ONE_BY_ONE, "ms"));
  }

  private void theirs(String subject, Map<String, Double> steps) {
    double disconnect = steps.get("disconnect") + steps.get("destroy");
    double all = steps.values().stream().mapToDouble(Double::doubleValue).sum();
    samples.add(subject, CONNECTED, all - disconnect, "ms");
    samples.add(subject, DISCONNECTED, disconnect, "ms");
    steps.forEach((step, millis) -> samples.add(subject, step, millis, "ms"));
  }

  private void report(Path directory, List<Integer> counts) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int count : counts) {
      lines.add(
          table(count, "all steps of all of ours run side by side, its steps one after the other"));
      for (String step : NAMES.values().stream().sorted().toList()) {
        String quantity = step + ", mean of a connection";
        lines.add(String.format("  %-36s %12.2f", quantity, samples.median(ours(count), quantity)));
      }
    }
    lines.add(
        table(1, "ours: mean of " + ONE_BY_ONE + " one by one; cmtime: one, in a new process"));
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("cmtime.json"), Machine.json(samples.measurements()).encodePrettily());
    Files.write(directory.resolve("cmtime.txt"), lines);
    lines.forEach(System.out::println);
  }

  /** Ratios belong to what was measured on both sides. */
  private String table(int count, String remark) {
    StringBuilder table =
        new StringBuilder(
            String.format(
                "%-38s %12s %12s %10s%n",
                count + (count == 1 ? " connection, ms" : " connections at once, ms"),
                "ours",
                "cmtime",
                "ratio"));
    table.append("  (").append(remark).append(")\n");
    List<String> quantities = new ArrayList<>(List.of(CONNECTED, DISCONNECTED));
    quantities.addAll(STEPS);
    for (String quantity : quantities) {
      double own = samples.median(ours(count), quantity);
      double other = samples.median(theirs(count), quantity);
      table.append(String.format("  %-36s %12s %12s", quantity, figure(own), figure(other)));
      if (Double.isFinite(own)) {
        samples.addRatio(ours(count), theirs(count), quantity);
        table.append(String.format(" %10.2f", own / other));
      }
      table.append('\n');
    }
    return table.toString().stripTrailing();
  }

  private static String figure(double value) {
    return Double.isFinite(value) ? String.format("%.2f", value) : "";
  }
}
