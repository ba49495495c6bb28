package io.vertxrdma.benchmarks.endtoend;

import io.vertxrdma.benchmarks.endtoend.Bench.Place;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Measures the soft provider through the public API between two sides in all places they can have,
 * beside bare UDP and Vert.x TCP in the same run. What the machine gives changes by the minute, so
 * the ratios say more than the figures.
 */
public final class EndToEnd {

  static final String ROUND_TRIP = "round trip p50";
  static final String PACKETS = "packets per second";
  static final String CPU_PER_PACKET = "processor time per packet";

  private static final int PATIENCE = 10;
  private static final int SECONDS = 300;
  private static final int SMALL = 8;
  private static final int WINDOW = 256;
  private static final int LARGE_WINDOW = 4;
  private static final int MANY_WINDOW = 8;

  private final Settings settings;
  private final Consumer<String> progress;
  private final Samples samples = new Samples();

  private EndToEnd(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @param progress told what is under way
   */
  public static List<Measurement> run(Settings settings, Consumer<String> progress)
      throws IOException, TimeoutException, InterruptedException {
    EndToEnd run = new EndToEnd(settings, progress);
    for (int i = 0; i < settings.repeats(); i++) {
      run.roundTrips();
      run.streams();
    }
    run.largeWrites();
    run.manyConnections();
    run.ratios();
    return run.samples.measurements();
  }

  private interface Opening {
    Traffic open(Bench bench) throws IOException, TimeoutException;
  }

  private void roundTrips() throws IOException, TimeoutException {
    for (Place place : Place.values()) {
      roundTrip("soft, " + place.words, bench -> bench.rdma(place, SMALL, WINDOW, 1));
    }
    for (Place place : List.of(Place.TWO_LOOPS, Place.TWO_PROCESSES)) {
      roundTrip("udp, " + words(place), bench -> bench.udp(place));
      roundTrip("tcp, " + words(place), bench -> bench.tcp(place));
    }
  }

  /** Sockets know no devices. */
  private static String words(Place place) {
    return place == Place.TWO_LOOPS ? "one process" : place.words;
  }

  private void roundTrip(String subject, Opening opening) throws IOException, TimeoutException {
    progress.accept("round trips: " + subject);
    try (Bench bench = new Bench()) {
      Traffic traffic = opening.open(bench);
      samples.addRoundTrips(
          subject,
          traffic
              .pingPong(settings.warmUpRounds(), settings.rounds())
              .await(SECONDS, TimeUnit.SECONDS));
      traffic.close().await(SECONDS, TimeUnit.SECONDS);
    }
  }

  private void streams() throws IOException, TimeoutException, InterruptedException {
    for (Place place : Place.values()) {
      stream("soft, " + place.words, SMALL, bench -> bench.rdma(place, SMALL, WINDOW, 1));
    }
    for (Place place : List.of(Place.TWO_LOOPS, Place.TWO_PROCESSES)) {
      stream("udp, " + words(place), SMALL, bench -> bench.udp(place));
    }
  }

  private void stream(String subject, int length, Opening opening)
      throws IOException, TimeoutException, InterruptedException {
    progress.accept("stream: " + subject);
    try (Bench bench = new Bench()) {
      Traffic traffic = opening.open(bench);
      traffic.startStream().await(SECONDS, TimeUnit.SECONDS);
      use(bench, settings.warmUpMillis());
      long firstMessages = traffic.messages();
      long firstPackets = traffic.packets();
      long firstCpu = bench.cpuNanos();
      long began = System.nanoTime();
      for (int i = 0; i < settings.windows(); i++) {
        long messages = traffic.messages();
        long packets = traffic.packets();
        long from = System.nanoTime();
        use(bench, settings.windowMillis());
        double seconds = (System.nanoTime() - from) / 1e9;
        double rate = (traffic.messages() - messages) / seconds;
        if (length == SMALL) {
          samples.add(subject, "messages per second", rate, "1/s");
          samples.add(subject, PACKETS, (traffic.packets() - packets) / seconds, "1/s");
        } else {
          samples.add(subject, "throughput", rate * length / 1e6, "MB/s");
        }
      }
      double cpu = bench.cpuNanos() - firstCpu;
      double cores = cpu / (System.nanoTime() - began);
      long sent = Math.max(1, traffic.messages() - firstMessages);
      samples.add(subject, "processor time per message", cpu / sent, "ns");
      samples.add(
          subject, CPU_PER_PACKET, cpu / Math.max(1, traffic.packets() - firstPackets), "ns");
      samples.add(subject, "processors the system gave", cores, "");
      traffic.close().await(SECONDS, TimeUnit.SECONDS);
    }
  }

  /**
   * Waits until both sides have had that much processor time, or ten times as long in all: on a
   * busy machine seconds on the clock would neither warm up nor measure anything.
   */
  private static void use(Bench bench, int millis) throws InterruptedException {
    long until = bench.cpuNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    long latest = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) * PATIENCE;
    do {
      Thread.sleep(Math.max(1, millis / PATIENCE));
    } while (bench.cpuNanos() < until && System.nanoTime() < latest);
  }

  private void largeWrites() throws IOException, TimeoutException, InterruptedException {
    for (Place place : List.of(Place.ONE_LOOP, Place.TWO_PROCESSES)) {
      stream(
          "soft, 1 MiB writes, " + place.words,
          RdmaFarSide.INBOX,
          bench -> bench.rdma(place, RdmaFarSide.INBOX, LARGE_WINDOW, 1));
    }
  }

  private void manyConnections() throws IOException, TimeoutException, InterruptedException {
    List<Integer> counts = settings.connections();
    int many = counts.get(counts.size() - 1);
    progress.accept(many + " connections");
    ManyConnections.measure(many, samples);
    for (int i = 0; i < settings.repeats(); i++) {
      for (int count : counts) {
        // As many under way in all, until each has few.
        int window = Math.max(MANY_WINDOW, WINDOW / count);
        stream(ofMany(count), SMALL, bench -> bench.rdma(Place.ONE_LOOP, SMALL, window, count));
      }
    }
    samples.addRatio(ofMany(many), ofMany(1), "processor time per message");
  }

  private static String ofMany(int count) {
    return "soft, " + count + " connections on the same device";
  }

  private void ratios() {
    for (Place place : List.of(Place.TWO_ADDRESSES, Place.TWO_PROCESSES)) {
      String soft = "soft, " + place.words;
      String where = place == Place.TWO_PROCESSES ? "two processes" : "one process";
      samples.addRatio(soft, "udp, " + where, ROUND_TRIP);
      samples.addRatio(soft, "udp, " + where, "round trip least");
      samples.addRatio(soft, "tcp, " + where, ROUND_TRIP);
      samples.addRatio(soft, "udp, " + where, PACKETS);
      samples.addRatio(soft, "udp, " + where, CPU_PER_PACKET);
    }
  }
}
