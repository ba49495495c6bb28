package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class L6_PeerDisconnectsFirstTest {

  @ParameterizedTest
  @ValueSource(ints = {22, 107})
  void aRefusedDisconnectIsSwallowedAndTheClosedEventComesOnce(int errno) {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      AtomicInteger closings = new AtomicInteger();
      AtomicInteger failures = new AtomicInteger();
      Promise<Void> closedAgain = Promise.promise();
      connection.exceptionHandler(failure -> failures.incrementAndGet());
      connection.closeHandler(
          nothing -> {
            closings.incrementAndGet();
            connection.close().onComplete(closedAgain);
          });
      bench.fake.failNext("rdma_disconnect", errno, 2);

      bench.fake.event(bench.idOf("rdma_connect")).type(CmEventType.DISCONNECTED.code()).enqueue();

      Bench.get(connection.closed());
      Bench.get(closedAgain.future());
      assertThat(closings).hasValue(1);
      assertThat(failures).hasValue(0);
      assertThat(bench.log.alarms()).isEmpty();
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void aSecondCloseReturnsTheSameCompletedFuture() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();

      Future<Void> first = connection.close();
      Bench.get(first);
      Future<Void> second = connection.close();

      assertThat(second.isComplete()).isTrue();
      assertThat(second).isSameAs(first);
      assertThat(bench.fake.calls("rdma_destroy_id")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void bothSidesMayCloseAtOnce(Transport transport) throws InterruptedException {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      AtomicInteger closings = new AtomicInteger();
      BlockingQueue<RdmaConnection> accepted = new LinkedBlockingQueue<>();
      server.connections().subscribe(accepted::add);
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      for (int i = 1; i <= 50; i++) {
        RdmaConnection here = Bench.get(client.connect(Bench.PORT, Bench.HOST));
        RdmaConnection there = accepted.take();
        here.closeHandler(nothing -> closings.incrementAndGet());
        there.closeHandler(nothing -> closings.incrementAndGet());

        Bench.get(Future.join(here.close(), there.close()));

        int expected = 2 * i;
        Bench.until("both close handlers to run", () -> closings.get() >= expected);
        assertThat(closings).hasValue(expected);
        bench.assertNoConnectionLeft();
      }
      assertThat(bench.log.alarms()).isEmpty();
    }
  }
}
