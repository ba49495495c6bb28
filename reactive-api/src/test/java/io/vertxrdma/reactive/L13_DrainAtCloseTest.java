package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class L13_DrainAtCloseTest {

  private static final int RECEIVES = 256;
  private static final int WRITES = 64;

  private final List<Object> order = new CopyOnWriteArrayList<>();

  private RdmaConnection withWritesOutstanding(Bench bench, int sendDepth) {
    bench.fake.holdSends(true);
    RdmaConnection connection =
        bench.connection(new RdmaClientOptions().setReceiveDepth(RECEIVES).setSendDepth(sendDepth));
    connection.closeHandler(nothing -> order.add("closed"));
    for (int i = 0; i < WRITES; i++) {
      connection
          .writeImmediate(i)
          .onComplete(done -> order.add(done.succeeded() ? "succeeded" : done.cause()));
    }
    int expected = Math.min(WRITES, sendDepth);
    Bench.until(
        "the writes to be posted",
        () -> bench.fake.pendingSends(bench.lastQueuePair()) == expected);
    return connection;
  }

  private void assertEachFlushedOnceThenClosed(Bench bench) {
    Bench.until("the close handler", () -> order.contains("closed"));
    bench.settle();
    assertThat(order).hasSize(WRITES + 1).endsWith("closed");
    assertThat(order.subList(0, WRITES)).hasOnlyElementsOfType(FlushedException.class);
    assertThat(bench.log.alarms()).isEmpty();
    bench.assertNoConnectionLeft();
  }

  @ParameterizedTest
  @CsvSource({"EPOLL,256", "EPOLL,16", "NIO,256"})
  void whenThePeerClosesEachOperationIsFlushedOnceAndClosedComesLast(
      Transport transport, int sendDepth) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = withWritesOutstanding(bench, sendDepth);

      bench.fake.event(bench.idOf("rdma_connect")).type(CmEventType.DISCONNECTED.code()).enqueue();

      Bench.get(connection.closed());
      assertEachFlushedOnceThenClosed(bench);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whenThisSideClosesToo(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = withWritesOutstanding(bench, 256);

      Bench.get(connection.close());

      assertEachFlushedOnceThenClosed(bench);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void anOperationThatFailsEndsTheConnectionWithItsStatusAndTheRestIsFlushed(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = withWritesOutstanding(bench, 256);
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      connection.exceptionHandler(failures::add);

      // Transport retry counter exceeded: the peer is gone.
      bench.fake.completeSends(bench.lastQueuePair(), 1, 12);

      Bench.get(connection.closed());
      Bench.until("the close handler", () -> order.contains("closed"));
      assertThat(order).hasSize(WRITES + 1).endsWith("closed");
      assertThat(order.get(0).toString()).contains("transport retry counter exceeded (12)");
      assertThat(order.subList(1, WRITES)).hasOnlyElementsOfType(FlushedException.class);
      assertThat(failures)
          .singleElement()
          .asString()
          .contains("transport retry counter exceeded (12)");
      assertThat(connection.isOpen()).isFalse();
      bench.assertNoConnectionLeft();
    }
  }
}
