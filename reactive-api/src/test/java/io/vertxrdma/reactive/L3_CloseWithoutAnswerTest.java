package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L3_CloseWithoutAnswerTest {

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aCloseFromInsideTheEventHandlerCompletes(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      Promise<Void> closed = Promise.promise();
      client
          .events()
          .filter(event -> event.type() == CmEventType.USER || event.rawType() == 77)
          .subscribe(event -> connection.close().onComplete(closed));

      bench.fake.event(bench.idOf("rdma_connect")).type(77).enqueue();

      Bench.get(closed.future());
      bench.assertNoConnectionLeft();
      assertThat(bench.fake.eventsAcknowledged()).isEqualTo(bench.fake.eventsFetched());
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aCloseFromAnotherThreadWhileTheHandlerRunsCompletesWhenItReturns(Transport transport)
      throws InterruptedException {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      CountDownLatch entered = new CountDownLatch(1);
      CountDownLatch mayReturn = new CountDownLatch(1);
      client
          .events()
          .filter(event -> event.rawType() == 77)
          .subscribe(
              event -> {
                entered.countDown();
                mayReturn.await(20, TimeUnit.SECONDS);
              });
      bench.fake.event(bench.idOf("rdma_connect")).type(77).enqueue();
      entered.await(20, TimeUnit.SECONDS);
      // While user code runs, librdmacm holds nothing against us.
      assertThat(bench.fake.eventsAcknowledged()).isEqualTo(bench.fake.eventsFetched());

      Future<Void> closed = connection.close();
      assertThat(closed.isComplete()).isFalse();
      mayReturn.countDown();

      Bench.get(closed);
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aDisconnectThatIsNeverAnsweredEndsWithTheCloseTimeoutAndAWarning(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence("rdma_disconnect");
      RdmaConnection connection = bench.connection(new RdmaClientOptions().setCloseTimeout(50));

      Bench.get(connection.close());

      assertThat(bench.log.warnings())
          .singleElement()
          .asString()
          .contains("did not answer the disconnect within 50 ms");
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void theTimeoutOfAnAnsweredCloseNeverFires() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(new RdmaClientOptions().setCloseTimeout(2_000));

      Bench.get(connection.close());
      bench.settle();

      assertThat(bench.log.alarms()).isEmpty();
      assertThat(bench.fake.calls("rdma_disconnect")).hasSize(1);
    }
  }
}
