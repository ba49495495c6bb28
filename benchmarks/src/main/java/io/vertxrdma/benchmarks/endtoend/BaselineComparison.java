package io.vertxrdma.benchmarks.endtoend;

import io.vertxrdma.core.RdmaProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes with immediate between a warm JVM and the plain C peer, beside the C peer with itself, all
 * in turn on the same device, so that the ratios hold on a machine whose speed changes by the
 * minute.
 */
public final class BaselineComparison {

  /** The yardstick's name in the report. */
  public static final String C_WITH_C = "C with C";

  /** The C peer's client with our server. */
  public static final String WE_SERVE = "C client, our server";

  /** Our client with the C peer's server. */
  public static final String WE_CONNECT = "our client, C server";

  private static final int LENGTH = 8;
  private static final int WARM_UP = 3;
  private static final int SECONDS = 150;

  private final Samples samples = new Samples();
  private final Path program;
  private final String address;
  private final int count;
  private final List<PeerKind> kinds;
  private final PeerPartner partner;

  private BaselineComparison(
      Path program, String address, int count, List<PeerKind> kinds, PeerPartner partner) {
    this.program = program;
    this.address = address;
    this.count = count;
    this.kinds = kinds;
    this.partner = partner;
  }

  /**
   * Arguments: directory of the report, the C peer, address of an RDMA device, runs, round trips of
   * each exchange, and what the names of the kinds to measure contain.
   */
  public static void main(String[] arguments)
      throws IOException, TimeoutException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    String address = arguments[2];
    int runs = Integer.parseInt(arguments[3]);
    int count = Integer.parseInt(arguments[4]);
    List<PeerKind> kinds =
        PeerKind.ALL.stream().filter(kind -> kind.toString().contains(arguments[5])).toList();
    try (PeerPartner partner =
        new PeerPartner(RdmaProviders.named("native"), address, CPeer.PORT, LENGTH)) {
      BaselineComparison comparison =
          new BaselineComparison(Path.of(arguments[1]), address, count, kinds, partner);
      comparison.warmUp();
      for (int i = 1; i <= runs; i++) {
        System.err.println("run " + i + " of " + runs);
        for (PeerKind kind : kinds) {
          comparison.compare(kind);
        }
      }
      comparison.report(directory, runs);
    }
  }

  private void warmUp() throws IOException, TimeoutException, InterruptedException {
    System.err.println("warming up");
    for (int i = 0; i < WARM_UP; i++) {
      for (PeerKind kind : kinds) {
        weServe(kind);
        weConnect(kind);
      }
    }
  }

  private void compare(PeerKind kind) throws IOException, TimeoutException, InterruptedException {
    double yardstick = cWithC(kind);
    add(C_WITH_C, kind, yardstick, Double.NaN);
    add(WE_SERVE, kind, weServe(kind), yardstick);
    add(WE_CONNECT, kind, weConnect(kind), yardstick);
  }

  private void add(String who, PeerKind kind, double figure, double yardstick) {
    String subject = kind + ": " + who;
    samples.add(subject, kind.quantity(), figure, kind.unit());
    if (!Double.isNaN(yardstick)) {
      // Within a run, so that both were measured within seconds.
      samples.add(subject, kind.quantity() + " / " + C_WITH_C, figure / yardstick, "");
    }
  }

  private CPeer peer(String role, PeerKind kind) throws IOException {
    return new CPeer(program, role, address, kind.messages(count), LENGTH, kind);
  }

  private double cWithC(PeerKind kind) throws IOException, InterruptedException {
    try (CPeer server = peer("server", kind)) {
      server.awaitListening();
      try (CPeer client = peer("client", kind)) {
        return either(client.figure(), server.figure());
      }
    }
  }

  private double weServe(PeerKind kind) throws IOException, TimeoutException, InterruptedException {
    PeerPartner.Serving serving = partner.serve(kind, kind.messages(count));
    serving.listening().await(SECONDS, TimeUnit.SECONDS);
    try (CPeer client = peer("client", kind)) {
      double theirs = client.figure();
      return either(theirs, serving.figure().await(SECONDS, TimeUnit.SECONDS));
    }
  }

  private double weConnect(PeerKind kind)
      throws IOException, TimeoutException, InterruptedException {
    try (CPeer server = peer("server", kind)) {
      server.awaitListening();
      double ours = partner.connect(kind, kind.messages(count)).await(SECONDS, TimeUnit.SECONDS);
      return either(ours, server.figure());
    }
  }

  private static double either(double one, double other) {
    return Double.isNaN(one) ? other : one;
  }

  private void report(Path directory, int runs) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-44s %12s %5s %12s %12s",
            "writes with immediate, " + LENGTH + " bytes", "median", "", "of C with C", "goal"));
    for (PeerKind kind : kinds) {
      for (String who : List.of(C_WITH_C, WE_SERVE, WE_CONNECT)) {
        String subject = kind + ": " + who;
        double figure = samples.median(subject, kind.quantity());
        double ratio = samples.median(subject, kind.quantity() + " / " + C_WITH_C);
        boolean ours = Double.isFinite(ratio);
        lines.add(
            String.format(
                    "%-44s %12.2f %-5s %12s %12s",
                    subject,
                    figure,
                    kind.unit(),
                    ours ? String.format("%.2f", ratio) : "",
                    ours ? goal(kind) : "")
                .stripTrailing());
      }
    }
    lines.add(
        count
            + " round trips, "
            + PeerKind.RATE_FACTOR
            + " times as many immediates for a rate; medians of "
            + runs
            + " runs; ratios within a run. "
            + Machine.flags());
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("baseline.json"), Machine.json(samples.measurements()).encodePrettily());
    Files.write(directory.resolve("baseline.txt"), lines);
    lines.forEach(System.out::println);
  }

  private static String goal(PeerKind kind) {
    if (!kind.rate()) {
      return "<= 1.10";
    }
    return kind.spin() ? ">= 0.95" : ">= 1.00";
  }
}
