package io.vertxrdma.reactive.metrics;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads the counters of ports on a worker thread, since that touches files. */
public final class PortCounterReader {

  private final Vertx vertx;
  private final RdmaProvider provider;

  /**
   * Makes it.
   *
   * @param vertx whose worker threads read
   * @param provider whose devices; an available one
   */
  public PortCounterReader(Vertx vertx, RdmaProvider provider) {
    this.vertx = Objects.requireNonNull(vertx, "vertx");
    this.provider = Objects.requireNonNull(provider, "provider");
  }

  /** The counters of every port of every device there is now. */
  public Future<List<PortCounters>> read() {
    return vertx.executeBlocking(this::readAll, false);
  }

  private List<PortCounters> readAll() {
    List<PortCounters> all = new ArrayList<>();
    for (DeviceContext device : provider.devices()) {
      for (int port = 1; port <= device.attributes().portCount(); port++) {
        all.add(device.readCounters(port));
      }
    }
    return all;
  }

  /** The counters of one port. */
  public Future<PortCounters> read(DeviceContext device, int port) {
    return vertx.executeBlocking(() -> device.readCounters(port), false);
  }
}
