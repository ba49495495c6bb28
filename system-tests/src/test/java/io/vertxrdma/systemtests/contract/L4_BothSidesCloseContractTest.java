package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases L4 and L6: both sides close, at once and one after the other, over and over. */
class L4_BothSidesCloseContractTest {

  private static final int LOOPS = Integer.getInteger("vertx.rdma.test.loops", 50);
  // Long: a close that runs into it is a lost event.
  private static final int CLOSE_TIMEOUT = 15_000;

  @RegisterExtension final ContractRig rig = new ContractRig();

  private final BlockingQueue<RdmaConnection> accepted = new LinkedBlockingQueue<>();
  private RdmaServer server;
  private RdmaClient client;

  private void listen() {
    server = rig.server(new RdmaServerOptions().setCloseTimeout(CLOSE_TIMEOUT));
    server.connectRequestHandler(request -> request.accept().onSuccess(accepted::add));
    rig.listen(server);
    client = rig.client(new RdmaClientOptions().setCloseTimeout(CLOSE_TIMEOUT));
  }

  private RdmaConnection next() throws InterruptedException {
    RdmaConnection next = accepted.poll(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("accepted connection").isNotNull();
    return next;
  }

  @Test
  void both_closing_at_once_gives_one_closed_signal_each_and_no_lost_event() throws Exception {
    listen();
    AtomicInteger serverSignals = new AtomicInteger();
    AtomicInteger clientSignals = new AtomicInteger();
    AtomicInteger failures = new AtomicInteger();
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < LOOPS; i++) {
        RdmaConnection there = rig.await(client.connect(server.actualPort(), rig.address()));
        RdmaConnection here = next();
        here.closeHandler(nothing -> serverSignals.incrementAndGet());
        there.closeHandler(nothing -> clientSignals.incrementAndGet());
        here.exceptionHandler(failed -> failures.incrementAndGet());
        there.exceptionHandler(failed -> failures.incrementAndGet());

        Future<Void> first = (i & 1) == 0 ? here.close() : there.close();
        Future<Void> second = (i & 1) == 0 ? there.close() : here.close();

        rig.await(Future.all(first, second));
      }
      assertThat(log.warnings()).as("closes that ran into their timeout").isEmpty();
    }
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    assertThat(serverSignals).hasValue(LOOPS);
    assertThat(clientSignals).hasValue(LOOPS);
    assertThat(failures).as("a plain close is no failure").hasValue(0);
  }

  @Test
  void closing_again_in_ones_own_close_handler_gives_the_same_completed_future() throws Exception {
    listen();
    RdmaConnection there = rig.await(client.connect(server.actualPort(), rig.address()));
    RdmaConnection here = next();
    AtomicInteger signals = new AtomicInteger();
    Promise<Boolean> again = Promise.promise();
    there.closeHandler(
        nothing -> {
          signals.incrementAndGet();
          again.complete(there.close().isComplete());
        });

    rig.await(here.close());

    assertThat(rig.await(again.future())).as("the second close has completed").isTrue();
    assertThat(there.close().succeeded()).isTrue();
    assertThat(here.close().succeeded()).isTrue();
    assertThat(there.isOpen()).isFalse();
    assertThat(here.isOpen()).isFalse();
    assertThat(signals).hasValue(1);
  }

  @Test
  void a_close_handler_set_after_the_end_runs_at_once_and_once() throws Exception {
    listen();
    RdmaConnection there = rig.await(client.connect(server.actualPort(), rig.address()));
    rig.await(next().close());
    rig.await(there.closed());
    AtomicInteger signals = new AtomicInteger();

    there.closeHandler(nothing -> signals.incrementAndGet());

    rig.until("the handler has run", () -> signals.get() == 1);
  }
}
