package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A stream of writes with immediate over more and more connections with the native provider, both
 * ends in this process, each with an event loop: what a message takes when they all take turns.
 */
public final class NativeGrowth {

  private static final int SECONDS = 300;
  private static final int LENGTH = 8;
  private static final int WINDOW = 128;
  private static final int LEAST_WINDOW = 4;
  private static final int WARM_UP_MILLIS = 3_000;
  private static final int SAMPLE_MILLIS = 1_000;
  private static final int SAMPLES = 5;

  private final Samples samples = new Samples();
  private final RdmaProvider provider = RdmaProviders.named("native");
  private final String address;

  private NativeGrowth(String address) {
    this.address = address;
  }

  /** Arguments: directory of the report, address of an RDMA device, numbers of connections. */
  public static void main(String[] arguments)
      throws IOException, TimeoutException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    List<String> counts = List.of(arguments).subList(2, arguments.length);
    NativeGrowth growth = new NativeGrowth(arguments[1]);
    for (String count : counts) {
      growth.measure(Integer.parseInt(count));
    }
    Files.writeString(
        directory.resolve("growth.json"),
        Machine.json(growth.samples.measurements()).encodePrettily());
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format("%-20s %20s %22s", "connections", "messages per second", "us per message"));
    for (String count : counts) {
      String subject = subject(Integer.parseInt(count));
      lines.add(
          String.format(
              "%-20s %20.0f %22.2f",
              count,
              growth.samples.median(subject, "messages per second"),
              growth.samples.median(subject, "time per message")));
    }
    lines.add(Machine.flags());
    Files.write(directory.resolve("growth.txt"), lines);
    lines.forEach(System.out::println);
  }

  private static String subject(int connections) {
    return connections + " connections";
  }

  private void measure(int connections) throws TimeoutException, InterruptedException {
    System.err.println(subject(connections));
    // As many under way in all, until each has few.
    int window = Math.max(LEAST_WINDOW, WINDOW / connections);
    Vertx far = FarProcess.vertx();
    Vertx near = FarProcess.vertx();
    try {
      RdmaFarSide farSide = new RdmaFarSide(far, provider, window);
      int port = farSide.listen(0, address).await(SECONDS, TimeUnit.SECONDS);
      RdmaTraffic traffic =
          new RdmaTraffic(
              near,
              provider,
              null,
              address,
              port,
              LENGTH,
              window,
              connections,
              window,
              new LongAdder());
      traffic.startStream().await(SECONDS, TimeUnit.SECONDS);
      Thread.sleep(WARM_UP_MILLIS);
      for (int i = 0; i < SAMPLES; i++) {
        long messages = traffic.messages();
        long began = System.nanoTime();
        Thread.sleep(SAMPLE_MILLIS);
        double micros = (System.nanoTime() - began) / 1e3;
        double took = micros / Math.max(1, traffic.messages() - messages);
        samples.add(subject(connections), "messages per second", 1e6 / took, "1/s");
        samples.add(subject(connections), "time per message", took, "us");
      }
      traffic.close().await(SECONDS, TimeUnit.SECONDS);
    } finally {
      near.close().await(SECONDS, TimeUnit.SECONDS);
      far.close().await(SECONDS, TimeUnit.SECONDS);
    }
  }
}
