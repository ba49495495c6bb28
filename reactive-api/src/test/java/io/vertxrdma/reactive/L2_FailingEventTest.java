package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Single;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.UnreachableException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class L2_FailingEventTest {

  private static final List<Integer> STATUSES = List.of(-110, -111, -19, -99, 8, 28, 10);

  private static final Map<CmEventType, Class<? extends RdmaException>> FAILURES =
      Map.of(
          CmEventType.ADDR_ERROR, AddressException.class,
          CmEventType.ROUTE_ERROR, AddressException.class,
          CmEventType.CONNECT_ERROR, ConnectException.class,
          CmEventType.UNREACHABLE, UnreachableException.class,
          CmEventType.REJECTED, ConnectionRejectedException.class);

  static Stream<Arguments> eachFailureAtEachStage() {
    return Stream.of(Transport.values())
        .flatMap(
            transport ->
                Stream.of("rdma_resolve_addr", "rdma_resolve_route", "rdma_connect")
                    .flatMap(
                        stage ->
                            FAILURES.keySet().stream()
                                .map(event -> Arguments.of(transport, stage, event))));
  }

  @ParameterizedTest
  @MethodSource("eachFailureAtEachStage")
  void anAttemptFailsOnceWithATypedErrorAndLeavesNothing(
      Transport transport, String stage, CmEventType event) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      for (int status : STATUSES) {
        bench.fake.replyTo(stage).type(event.code()).status(status);
        // A second failure comes on its heels, before the first can have been dispatched.
        bench.fake.after(
            stage,
            call -> bench.fake.event(call.argument(0)).type(event.code()).status(-5).enqueue());

        Throwable failure = Bench.failure(client.connect(Bench.PORT, Bench.HOST));

        assertThat(failure).isInstanceOf(FAILURES.get(event));
        assertThat(((RdmaException) failure).code()).isEqualTo(status);
        assertThat(failure)
            .hasMessageContaining(event.nativeName())
            .hasMessageContaining(String.valueOf(status))
            .message()
            .containsPattern("\\([A-Za-z][^)]+\\)");
        bench.assertNoConnectionLeft();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eventsForAnIdThatIsGoneAreIgnored(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      bench.fake.replyTo("rdma_connect").type(CmEventType.REJECTED.code()).status(8);
      AtomicInteger seen = new AtomicInteger();
      client.events().subscribe(event -> seen.incrementAndGet());
      Bench.failure(client.connect(Bench.PORT, Bench.HOST));
      long id = bench.idOf("rdma_connect");
      bench.settle();
      int before = seen.get();

      for (CmEventType late : List.of(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED)) {
        bench.fake.event(id).type(late.code()).enqueue();
      }
      bench.fake.event(id).type(CmEventType.UNREACHABLE.code()).status(-110).enqueue();
      bench.settle();

      assertThat(seen).hasValue(before);
      bench.fake.asUsual("rdma_connect");
      assertThat(Bench.get(client.connect(Bench.PORT, Bench.HOST)).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aSingleGetsTheErrorOnce(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      bench.fake.replyTo("rdma_resolve_route").type(CmEventType.ROUTE_ERROR.code()).status(-110);
      AtomicInteger errors = new AtomicInteger();
      Single<RdmaConnection> connect =
          client.rxConnect(Bench.PORT, Bench.HOST).doOnError(error -> errors.incrementAndGet());

      connect.test().awaitDone(20, TimeUnit.SECONDS);
      bench.settle();

      assertThat(errors).hasValue(1);
      bench.assertNoConnectionLeft();
    }
  }
}
