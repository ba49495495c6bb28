package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class R2_CompletionQueueRoomTest {

  private static Bench device(int entries) {
    return new Bench(fake -> fake.device("fake0").maxCqe(entries));
  }

  private static RdmaClientOptions depths(int receives, int sends) {
    return new RdmaClientOptions().setReceiveDepth(receives).setSendDepth(sends);
  }

  @Test
  void connectionsThatFitShareOneQueue() {
    try (Bench bench = new Bench()) {
      for (int i = 0; i < 8; i++) {
        bench.connection(depths(256, 256));
      }

      assertThat(bench.fake.calls("ibv_create_cq")).hasSize(1);
      assertThat(bench.fake.lastCall("ibv_create_cq").argument(1)).isEqualTo(4096);

      bench.connection(depths(1, 1));
      assertThat(bench.fake.calls("ibv_create_cq")).hasSize(1);
      assertThat(bench.fake.lastCall("ibv_resize_cq").argument(1)).isEqualTo(8192);
    }
  }

  @Test
  void theRoomOfAClosedConnectionIsUsedAgain() {
    try (Bench bench = device(64)) {
      for (int i = 0; i < 10; i++) {
        Bench.get(bench.connection(depths(32, 32)).close());
      }

      assertThat(bench.fake.calls("ibv_create_cq")).hasSize(1);
    }
  }

  @Test
  void aConnectionThatDoesNotFitGetsAnotherQueue() {
    try (Bench bench = device(64)) {
      bench.connection(depths(32, 32));
      bench.connection(depths(32, 32));

      List<FakeCall> made = bench.fake.calls("rdma_create_qp");
      assertThat(made)
          .extracting(R2_CompletionQueueRoomTest::completionQueue)
          .doesNotHaveDuplicates();
      assertThat(bench.fake.calls("ibv_create_cq"))
          .extracting(call -> call.argument(1))
          .containsExactly(64L, 64L);
    }
  }

  private static long completionQueue(FakeCall createQueuePair) {
    return ByteBuffer.wrap(createQueuePair.struct()).order(ByteOrder.nativeOrder()).getLong(8);
  }

  @Test
  void aConnectionThatFitsNoQueueFailsNamingTheNumbers() {
    try (Bench bench = device(64)) {
      Throwable failure =
          Bench.failure(bench.client(depths(33, 32)).connect(Bench.PORT, Bench.HOST));

      assertThat(failure)
          .hasMessageContaining("65")
          .hasMessageContaining("64")
          .hasMessageContaining("fake0");
      assertThat(bench.fake.calls("rdma_create_qp")).isEmpty();
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @CsvSource({"100,16,receiveDepth is 100", "16,100,sendDepth is 100"})
  void aQueueDeeperThanTheDevicesFailsNamingTheNumbers(int receives, int sends, String text) {
    try (Bench bench = new Bench(fake -> fake.device("fake0").maxQpWr(99))) {
      assertThat(
              Bench.failure(bench.client(depths(receives, sends)).connect(Bench.PORT, Bench.HOST)))
          .hasMessageContaining(text)
          .hasMessageContaining("99");
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void theFullestQueueDoesNotOverrun() {
    try (Bench bench = device(64)) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection(depths(32, 32));
      int number = bench.lastQueuePair();
      List<Future<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        writes.add(connection.writeImmediate(i));
      }
      Bench.until("the send queue to fill", () -> bench.fake.pendingSends(number) == 32);
      // The consumer is stopped: everything that can complete does so before anybody looks.
      bench.fake.before(
          "poll_cq",
          call -> {
            bench.fake.asUsual("poll_cq");
            for (int i = 1; i < 32; i++) {
              bench.fake.completeReceiveWithImm(number, i, 0);
            }
            bench.fake.holdSends(false);
          });
      bench.fake.completeReceiveWithImm(number, 0, 0);

      Bench.get(Future.join(writes));
      var received = connection.immediates().test();
      received.awaitCount(32);
      assertThat(received.values()).extracting(Immediate::value).isSorted().hasSize(32);
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void aBrokenQueueEndsItsConnectionsWithTheCause() {
    try (Bench bench = device(64)) {
      RdmaConnection connection = bench.connection(depths(8, 8));
      int number = bench.lastQueuePair();
      bench.fake.nextResult("poll_cq", -5, 0);
      bench.fake.completeReceiveWithImm(number, 1, 0);

      var received = connection.immediates().test();
      Bench.get(connection.closed());
      received.awaitCount(1);
      assertThat(connection.isOpen()).isFalse();
      received.assertFailure(RdmaException.class);
      assertThat(bench.takeUncaught()).hasSize(1);
    }
  }
}
