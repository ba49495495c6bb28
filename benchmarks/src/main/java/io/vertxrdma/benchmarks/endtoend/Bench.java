package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Everything that two sides need, in the places they can have. */
final class Bench implements AutoCloseable {

  /** The far side's address. */
  static final String FAR = "127.0.0.1";

  private static final String NEAR = "127.0.0.2";
  private static final int SECONDS = 120;

  /** Where near and far side are. */
  enum Place {
    /** On one soft device and one event loop. */
    ONE_LOOP("same device, one event loop", true),
    /** On one soft device, each with its event loop. */
    TWO_LOOPS("same device, two event loops", true),
    /** In one process, each with its address and event loop. */
    TWO_ADDRESSES("one process, two addresses", false),
    /** In two processes. */
    TWO_PROCESSES("two processes", false);

    final String words;

    /** Whether packets skip the socket. */
    final boolean sameDevice;

    Place(String words, boolean sameDevice) {
      this.words = words;
      this.sameDevice = sameDevice;
    }
  }

  private final int udpPort = freeUdpPort();
  private final LongAdder packets = new LongAdder();
  private final RdmaProvider provider =
      new SoftProvider(
          new SoftProviderOptions()
              .setUdpPort(udpPort)
              .setLinkDecorator((link, timers) -> new CountingLink(link, packets)));
  private Vertx farVertx;
  private Vertx nearVertx;
  private RdmaFarSide farSide;
  private UdpTraffic.FarSide udpFarSide;
  private FarProcess farProcess;

  Bench() throws IOException {}

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket probe = new DatagramSocket()) {
      return probe.getLocalPort();
    }
  }

  private FarProcess.Ports open(Place place) throws IOException, TimeoutException {
    farVertx = FarProcess.vertx();
    nearVertx = place == Place.ONE_LOOP ? farVertx : FarProcess.vertx();
    if (place == Place.TWO_PROCESSES) {
      farProcess = FarProcess.start(FAR, udpPort);
      return farProcess.ports();
    }
    farSide = new RdmaFarSide(farVertx, provider);
    int rdma = farSide.listen(0, FAR).await(SECONDS, TimeUnit.SECONDS);
    udpFarSide = UdpTraffic.farSide(FAR);
    int tcp = TcpTraffic.farSide(farVertx, FAR).await(SECONDS, TimeUnit.SECONDS).actualPort();
    return new FarProcess.Ports(rdma, udpFarSide.port(), tcp);
  }

  /** Writes of some length over some connections. */
  RdmaTraffic rdma(Place place, int length, int window, int connections)
      throws IOException, TimeoutException {
    FarProcess.Ports ports = open(place);
    return new RdmaTraffic(
        nearVertx,
        provider,
        place.sameDevice ? null : NEAR,
        FAR,
        ports.rdma(),
        length,
        window,
        connections,
        RdmaOptions.DEFAULT_SEND_DEPTH,
        packets);
  }

  Traffic udp(Place place) throws IOException, TimeoutException {
    return new UdpTraffic(FAR, open(place).udp());
  }

  Traffic tcp(Place place) throws IOException, TimeoutException {
    FarProcess.Ports ports = open(place);
    return new TcpTraffic(nearVertx, FAR, ports.tcp());
  }

  /** Immediates the far side got; of one in this process. */
  long taken() {
    return farSide.taken();
  }

  /** Processor time of both sides, nanoseconds. */
  long cpuNanos() {
    long far = farProcess == null ? 0 : farProcess.cpuTime().toNanos();
    return far + ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  @Override
  public void close() throws IOException {
    if (farProcess != null) {
      farProcess.close();
    }
    if (udpFarSide != null) {
      udpFarSide.close();
    }
    try {
      if (nearVertx != null) {
        nearVertx.close().await(SECONDS, TimeUnit.SECONDS);
      }
      if (farVertx != null) {
        farVertx.close().await(SECONDS, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      throw new IOException("Vert.x does not close", e);
    }
  }
}
