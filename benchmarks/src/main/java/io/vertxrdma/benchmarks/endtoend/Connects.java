package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.metrics.ConnectStep;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Connects to a {@link ConnectFarSide} and disconnects again, many at once or one by one. */
final class Connects implements AutoCloseable {

  private static final int SECONDS = ConnectFarSide.SECONDS;

  private final Vertx vertx = FarProcess.vertx();
  private final Map<ConnectStep, LongAdder> stepNanos = new ConcurrentHashMap<>();
  private final RdmaClient client;
  private final String address;
  private final int port;

  /**
   * Milliseconds, over all connections.
   *
   * @param connect from the first call to the last connection that stands
   * @param disconnect from the first close to the last that is over, ids and queue pairs destroyed
   * @param steps the sum over all connections of the time each spent in a step
   */
  record Times(double connect, double disconnect, Map<ConnectStep, Double> steps) {}

  Connects(RdmaProvider provider, String address, int port) {
    this.address = address;
    this.port = port;
    RdmaMetrics metrics =
        new RdmaMetrics() {
          @Override
          public void stepEnded(ConnectStep step, long nanos) {
            stepNanos.computeIfAbsent(step, any -> new LongAdder()).add(nanos);
          }
        };
    // Queues as small as cmtime's.
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setReceiveDepth(1)
            .setSendDepth(1)
            .setConnectTimeout(SECONDS * 1_000)
            .setResolveTimeout(SECONDS * 1_000)
            .setMetrics(metrics);
    client = RdmaClient.create(vertx, options, provider);
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(SECONDS, TimeUnit.SECONDS);
  }

  Times atOnce(int count) throws TimeoutException {
    stepNanos.clear();
    long began = System.nanoTime();
    List<Future<RdmaConnection>> attempts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      attempts.add(client.connect(port, address));
    }
    get(Future.all(attempts));
    long connected = System.nanoTime();
    List<Future<Void>> ends = new ArrayList<>();
    for (Future<RdmaConnection> attempt : attempts) {
      ends.add(attempt.result().close());
    }
    get(Future.all(ends));
    return times(connected - began, System.nanoTime() - connected);
  }

  Times oneByOne(int count) throws TimeoutException {
    stepNanos.clear();
    long connecting = 0;
    long disconnecting = 0;
    for (int i = 0; i < count; i++) {
      long began = System.nanoTime();
      RdmaConnection connection = get(client.connect(port, address));
      long connected = System.nanoTime();
      get(connection.close());
      connecting += connected - began;
      disconnecting += System.nanoTime() - connected;
    }
    return times(connecting, disconnecting);
  }

  private Times times(long connecting, long disconnecting) {
    Map<ConnectStep, Double> steps = new EnumMap<>(ConnectStep.class);
    stepNanos.forEach((step, nanos) -> steps.put(step, nanos.sum() / 1e6));
    return new Times(connecting / 1e6, disconnecting / 1e6, steps);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
