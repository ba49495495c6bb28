package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Vert.x twins of the streams, through the public API. */
class ReadStreamTest {

  private final List<Object> signals = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aPausedStreamHoldsBackTheCreditsOfThePeer(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection(new RdmaClientOptions().setReceiveDepth(8));
      ReadStream<Immediate> stream = connection.immediateStream();
      stream.endHandler(nothing -> signals.add("end"));
      stream.pause().handler(immediate -> signals.add(immediate.value()));
      int number = bench.lastQueuePair();
      bench.burst(number, 8);
      Bench.until("them to wait", () -> connection.counters().immediatesWaiting() == 8);
      bench.settle();
      assertThat(signals).isEmpty();
      assertThat(bench.fake.postedReceives(number)).isZero();

      stream.fetch(3);
      Bench.until("three", () -> signals.size() == 3);
      Bench.until("three credits", () -> bench.fake.postedReceives(number) == 3);
      bench.settle();
      assertThat(signals).containsExactly(0L, 1L, 2L);

      stream.resume();
      Bench.until("all", () -> signals.size() == 8);
      bench.fake.event(bench.fake.idOfQueuePair(number)).type(10).enqueue();
      Bench.until("the end", () -> signals.contains("end"));
      assertThat(signals).hasSize(9).endsWith(7L, "end");
    }
  }

  @Test
  void requestsAndConnectionsComeAsStreamsToo() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      server.connectRequestStream().handler(ConnectRequest::accept);
      server.connectionStream().endHandler(nothing -> signals.add("end")).handler(signals::add);
      Bench.get(server.listen());
      RdmaConnection client = Bench.get(bench.client().connect(Bench.PORT, Bench.HOST));

      Bench.until("the connection", () -> signals.size() == 1);
      assertThat(signals.get(0)).isInstanceOf(RdmaConnection.class).isNotSameAs(client);

      Bench.get(server.close());
      Bench.until("the end", () -> signals.size() == 2);
      assertThat(signals).endsWith("end");
    }
  }

  @Test
  void aFailedConnectionEndsItsStreamWithTheFailure() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      connection
          .immediateStream()
          .exceptionHandler(failure -> signals.add(failure.getClass().getSimpleName()))
          .endHandler(nothing -> signals.add("end"))
          .handler(signals::add);

      bench.fake.removeDevice("fake0");

      Bench.until("the end", () -> signals.contains("end"));
      assertThat(signals).containsExactly("DeviceRemovedException", "end");
    }
  }
}
