package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Private data that tells the peer where the client's memory is. */
class ConnectWithMemoryTest {

  private static int regions(Bench bench) {
    return bench.fake.live().getOrDefault("memory regions", 0);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void theInboxIsMadeOnTheResolvedDeviceBeforeConnecting(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      AtomicReference<RegisteredBuffer> inbox = new AtomicReference<>();
      AtomicReference<Context> context = new AtomicReference<>();
      RdmaClient client = bench.elsewhere(bench::client);

      RdmaConnection connection =
          Bench.get(
              client.connect(
                  Bench.PORT,
                  Bench.HOST,
                  memory -> {
                    assertThat(bench.fake.calls("rdma_resolve_addr")).hasSize(1);
                    assertThat(bench.fake.calls("rdma_connect")).isEmpty();
                    context.set(Vertx.currentContext());
                    return memory
                        .allocateInbox(4096)
                        .onSuccess(inbox::set)
                        .map(made -> made.remote().encode());
                  }));

      assertThat(bench.fake.lastCall("rdma_connect").data())
          .isEqualTo(inbox.get().remote().encode().getBytes());
      assertThat(context.get().isEventLoopContext()).isTrue();
      assertThat(inbox.get().getBytes(0, 1)).containsExactly(0);
      // Its memory is of the connection's device.
      Bench.get(connection.write(inbox.get().all(), inbox.get().remote()));
    }
  }

  @Test
  void itIsAskedForAtEachAddressAnewAndWhatAFailedOneAllocatedIsClosed() {
    try (Bench bench = new Bench()) {
      List<RegisteredBuffer> made = new CopyOnWriteArrayList<>();
      RdmaServer server = bench.elsewhere(bench::server);
      server.connectRequestHandler(
          request -> {
            if (made.size() == 1) {
              request.reject();
            } else {
              request.accept();
            }
          });
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);

      for (int i = 0; i < 2; i++) {
        Future<RdmaConnection> attempt =
            client.connect(
                Bench.PORT,
                Bench.HOST,
                memory -> memory.copyOf(Buffer.buffer("x")).onSuccess(made::add).map(b -> null));
        Bench.settled(attempt);
        assertThat(attempt.succeeded()).isEqualTo(i == 1);
      }

      Bench.until("the first one's memory to be given back", () -> regions(bench) == 1);
      assertThat(made).hasSize(2);
      assertThat(made.get(1).capacity()).isEqualTo(1);
      assertThat(made.get(1).getBytes(0, 1)).containsExactly('x');
    }
  }

  @Test
  void whatItThrowsOrFailsWithIsHowConnectingFails() {
    try (Bench bench = new Bench()) {
      IllegalArgumentException thrown = new IllegalArgumentException("no inbox today");
      RdmaClient client = bench.client();

      assertThat(
              Bench.failure(
                  client.connect(
                      Bench.PORT,
                      Bench.HOST,
                      memory -> {
                        throw thrown;
                      })))
          .isSameAs(thrown);
      assertThat(
              Bench.failure(
                  client.connect(
                      Bench.PORT, Bench.HOST, memory -> Future.<Buffer>failedFuture(thrown))))
          .isSameAs(thrown);
      assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST, memory -> null)))
          .hasMessageContaining("returned null");
      Bench.until("all ids to go", () -> bench.fake.ids().isEmpty());
      assertThat(bench.fake.calls("rdma_connect")).isEmpty();
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void dataThatIsTooLongIsRefusedAndTheMemoryGivenBack() {
    try (Bench bench = new Bench()) {
      assertThat(
              Bench.failure(
                  bench
                      .client()
                      .connect(
                          Bench.PORT,
                          Bench.HOST,
                          memory -> memory.allocate(8).map(made -> Buffer.buffer(new byte[57])))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("56")
          .hasMessageContaining("57");
      Bench.until("the memory to be given back", () -> regions(bench) == 0);
      assertThat(bench.fake.calls("rdma_connect")).isEmpty();
    }
  }

  @Test
  void anAnswerThatDoesNotComeCountsTowardsTheConnectTimeout() {
    try (Bench bench = new Bench()) {
      Promise<Buffer> late = Promise.promise();
      RdmaClient client = bench.client(new RdmaClientOptions().setConnectTimeout(100));

      assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST, memory -> late.future())))
          .isInstanceOf(ConnectTimeoutException.class);
      late.complete(Buffer.buffer("late"));
      bench.settle();

      assertThat(bench.fake.calls("rdma_connect")).isEmpty();
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void memoryThatComesAfterTheAttemptEndedIsGivenBackToo() {
    try (Bench bench = new Bench()) {
      AtomicReference<RdmaMemory> kept = new AtomicReference<>();
      int timeout = 50;
      do {
        // As long as this machine needs to ask.
        timeout *= 2;
        Bench.failure(
            bench
                .client(new RdmaClientOptions().setConnectTimeout(timeout))
                .connect(
                    Bench.PORT,
                    Bench.HOST,
                    memory -> {
                      kept.set(memory);
                      return Promise.<Buffer>promise().future();
                    }));
      } while (kept.get() == null);

      Bench.get(kept.get().allocate(64).mapEmpty());

      Bench.until("the memory to be given back", () -> regions(bench) == 0);
    }
  }

  @Test
  void theRxTwinAsksForEachSubscription() {
    try (Bench bench = new Bench()) {
      List<RdmaMemory> asked = new CopyOnWriteArrayList<>();
      var connecting =
          bench
              .client()
              .rxConnect(
                  Bench.PORT,
                  Bench.HOST,
                  null,
                  memory -> {
                    asked.add(memory);
                    return Future.succeededFuture(Buffer.buffer("hi"));
                  });
      assertThat(bench.fake.ids()).isEmpty();

      connecting.blockingGet();
      connecting.blockingGet();

      assertThat(asked).hasSize(2);
      assertThat(bench.fake.calls("rdma_connect"))
          .allSatisfy(call -> assertThat(call.data()).startsWith('h', 'i'));
    }
  }
}
