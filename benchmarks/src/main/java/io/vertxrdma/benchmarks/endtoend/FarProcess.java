package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** All far sides in a process of their own, until its standard input ends. */
public final class FarProcess implements AutoCloseable {

  private static final int SECONDS = 60;

  private final Process process;
  private final Ports ports;

  /** Where the far sides listen. */
  record Ports(int rdma, int udp, int tcp) {}

  private FarProcess(Process process, Ports ports) {
    this.process = process;
    this.ports = ports;
  }

  static Vertx vertx() {
    return Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
  }

  /** Runs the far sides: arguments are the address and the UDP port of the soft provider. */
  public static void main(String[] arguments) throws IOException, TimeoutException {
    String address = arguments[0];
    Vertx vertx = vertx();
    RdmaProvider provider =
        new SoftProvider(new SoftProviderOptions().setUdpPort(Integer.parseInt(arguments[1])));
    int rdma = new RdmaFarSide(vertx, provider).listen(0, address).await(SECONDS, TimeUnit.SECONDS);
    UdpTraffic.FarSide udp = UdpTraffic.farSide(address);
    int tcp = TcpTraffic.farSide(vertx, address).await(SECONDS, TimeUnit.SECONDS).actualPort();
    System.out.println(rdma + " " + udp.port() + " " + tcp);
    while (System.in.read() >= 0) {
      // Whoever started this ends it, also by ending himself.
    }
    udp.close();
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  /** Starts one with this process's Java and class path. */
  static FarProcess start(String address, int udpPort) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    java,
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FarProcess.class.getName(),
                    address,
                    Integer.toString(udpPort)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line =
        new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
            .readLine();
    if (line == null) {
      process.destroy();
      throw new IOException("the far process ended before it was ready");
    }
    String[] numbers = line.split(" ");
    return new FarProcess(
        process,
        new Ports(
            Integer.parseInt(numbers[0]),
            Integer.parseInt(numbers[1]),
            Integer.parseInt(numbers[2])));
  }

  Ports ports() {
    return ports;
  }

  /** Processor time used so far; 0 where the system doesn't tell. */
  Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
