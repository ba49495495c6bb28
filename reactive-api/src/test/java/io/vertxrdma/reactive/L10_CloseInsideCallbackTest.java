package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule: what nobody was given when close was called is dropped. */
class L10_CloseInsideCallbackTest {

  private final List<String> order = new CopyOnWriteArrayList<>();

  private void watch(RdmaConnection connection) {
    connection.closeHandler(nothing -> order.add("closed"));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void insideOnConnected(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      Promise<Void> closed = Promise.promise();
      bench
          .client()
          .connect(Bench.PORT, Bench.HOST)
          .onSuccess(
              connection -> {
                watch(connection);
                connection.close().onComplete(closed);
                order.add("handler finished");
              });

      Bench.get(closed.future());

      assertThat(order).containsExactly("handler finished", "closed");
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void insideTheFirstOnNextOfABatch(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection();
      watch(connection);
      connection
          .immediates()
          .subscribe(
              immediate -> {
                order.add("immediate " + immediate.value());
                connection.close();
                order.add("handler finished");
              },
              failure -> order.add("failed " + failure),
              () -> order.add("completed"));

      bench.burst(bench.lastQueuePair(), 10);

      Bench.get(connection.closed());
      Bench.until("the close handler", () -> order.contains("closed"));
      assertThat(order)
          .endsWith("completed", "closed")
          .startsWith("immediate 0", "handler finished")
          .hasSize(4);
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void insideTheFirstCallOfAnImmediateHandler(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection();
      watch(connection);
      connection.immediateHandler(
          (on, immediate, length) -> {
            order.add("immediate " + immediate);
            on.close();
          });

      bench.burst(bench.lastQueuePair(), 10);

      Bench.get(connection.closed());
      Bench.until("the close handler", () -> order.contains("closed"));
      assertThat(order).containsExactly("immediate 0", "closed");
    }
  }

  @Test
  void insideTheExceptionHandler() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      watch(connection);
      connection.exceptionHandler(
          failure -> {
            order.add("failed");
            connection.close();
          });

      bench.fake.event(bench.idOf("rdma_connect")).type(11).enqueue();

      Bench.get(connection.closed());
      Bench.until("the close handler", () -> order.contains("closed"));
      assertThat(order).containsExactly("failed", "closed");
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void insideTheCompletionOfAnOperation() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      watch(connection);
      bench.fake.holdSends(true);
      for (int i = 0; i < 3; i++) {
        connection
            .writeImmediate(i)
            .onComplete(
                done -> {
                  order.add(done.succeeded() ? "written" : "flushed");
                  connection.close();
                });
      }

      Bench.until("the writes", () -> bench.fake.pendingSends(bench.lastQueuePair()) == 3);
      bench.fake.holdSends(false);

      Bench.get(connection.closed());
      Bench.until("the close handler", () -> order.contains("closed"));
      assertThat(order).hasSize(4).startsWith("written").endsWith("closed");
    }
  }
}
