package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A thousand short connections leave nothing behind, in this process or in the kernel. */
class R7_ManyShortConnectionsContractTest {

  private static final int ROUNDS = Integer.getInteger("vertx.rdma.test.short-connections", 1_000);

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_thousand_times_connect_one_immediate_close_leaves_nothing_behind() {
    // Once in small, so that what stays for good (classes, loaded libraries) is there.
    connectRepeatedly(20);
    Resources before = Resources.now(rig.isNative());

    double[] times = connectRepeatedly(ROUNDS);

    System.out.printf(
        "%d short connections: the first hundred %.1f ms each, the last hundred %.1f ms each%n",
        ROUNDS, average(times, 0), average(times, ROUNDS - 100));
    Awaitility.await("everything is as before")
        .atMost(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .untilAsserted(() -> Resources.now(rig.isNative()).assertNoMoreThan(before));
  }

  private static double average(double[] times, int first) {
    double sum = 0;
    for (int i = first; i < first + 100; i++) {
      sum += times[i];
    }
    return sum / 100;
  }

  /** In a Vert.x of its own, which is closed at the end; returns milliseconds of each round. */
  private double[] connectRepeatedly(int rounds) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    try {
      return connectRepeatedly(vertx, rounds);
    } finally {
      rig.await(vertx.close());
    }
  }

  private double[] connectRepeatedly(Vertx vertx, int rounds) {
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), rig.provider());
    AtomicInteger immediates = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onFailure(failures::add)
                .onSuccess(
                    connection ->
                        connection
                            .exceptionHandler(failures::add)
                            .closeHandler(nothing -> ended.incrementAndGet())
                            .immediateHandler(
                                (from, immediate, length) -> immediates.incrementAndGet())));
    int port = rig.await(server.listen(0, rig.address())).actualPort();
    RdmaClient client = RdmaClient.create(vertx, new RdmaClientOptions(), rig.provider());
    double[] times = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      RdmaConnection connection = rig.await(client.connect(port, rig.address()));
      rig.await(connection.writeImmediate(i));
      rig.await(connection.close());
      times[i] = (System.nanoTime() - start) / 1e6;
    }
    Traffic.eventually(
        "the server has seen all of them end", () -> !failures.isEmpty() || ended.get() == rounds);
    assertThat(failures).as("failures of the server's ends").isEmpty();
    assertThat(immediates).hasValue(rounds);
    rig.await(client.close());
    rig.await(server.close());
    return times;
  }
}
