package io.vertxrdma.demos;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.metrics.PortCounterReader;
import java.util.List;

/**
 * How often the ports of a provider's devices refused what found no receive (RNR NAK), and were
 * refused. What a device does not count is 0; a native one counts for the whole machine.
 */
public final class RnrCounters {

  /** As the kernel's drivers name them; the soft provider has those of rxe. */
  private static final List<String> SENT = List.of("send_rnr_err", "out_of_buffer");

  private static final List<String> RECEIVED = List.of("rcvd_rnr_err", "rnr_nak_retry_err");

  private final PortCounterReader ports;

  /** Counters of the devices there are when they are read. */
  public RnrCounters(Vertx vertx, RdmaProvider provider) {
    this.ports = new PortCounterReader(vertx, provider);
  }

  /**
   * What was counted until now.
   *
   * @param sent refusals by this side
   * @param received refusals by peers
   */
  public record Count(long sent, long received) {}

  /** Reads the counters of all ports, on a worker. */
  public Future<Count> read() {
    return ports.read().map(all -> new Count(sum(all, SENT), sum(all, RECEIVED)));
  }

  private static long sum(List<PortCounters> ports, List<String> names) {
    return ports.stream()
        .flatMapToLong(port -> names.stream().mapToLong(name -> port.get(name).orElse(0)))
        .sum();
  }
}
