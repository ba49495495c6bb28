package io.vertxrdma.tools.tune;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortCounters;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a device has counted of things that should not happen, over all its ports. Drivers give them
 * different names; rxe and soft devices have the same.
 *
 * @param rnr answers "receiver not ready" to what was sent from here
 * @param retries packets or requests repeated
 */
record Troubles(OptionalLong rnr, OptionalLong retries) {

  // rxe and soft, mlx5, hns.
  private static final List<String> RNR =
      List.of("rcvd_rnr_err", "rnr_nak_retry_err", "rnr_retry_cnt");
  private static final List<String> RETRIES =
      List.of("completer_retry_err", "rcvd_seq_err", "local_ack_timeout_err", "packet_seq_err");

  /** Reads them, on a worker since that may touch files. */
  static Future<Troubles> read(Vertx vertx, DeviceContext device) {
    return vertx.executeBlocking(
        () -> {
          Troubles all = new Troubles(OptionalLong.empty(), OptionalLong.empty());
          for (int port = 1; port <= device.attributes().portCount(); port++) {
            PortCounters counters = device.readCounters(port);
            all = new Troubles(sum(all.rnr, counters, RNR), sum(all.retries, counters, RETRIES));
          }
          return all;
        },
        false);
  }

  private static OptionalLong sum(OptionalLong before, PortCounters counters, List<String> names) {
    OptionalLong sum = before;
    for (String name : names) {
      OptionalLong value = counters.get(name);
      if (value.isPresent()) {
        sum = OptionalLong.of(sum.orElse(0) + value.getAsLong());
      }
    }
    return sum;
  }

  /** How many have come since. */
  Troubles since(Troubles earlier) {
    return new Troubles(difference(rnr, earlier.rnr), difference(retries, earlier.retries));
  }

  private static OptionalLong difference(OptionalLong now, OptionalLong before) {
    return now.isEmpty() || before.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, now.getAsLong() - before.getAsLong()));
  }
}
