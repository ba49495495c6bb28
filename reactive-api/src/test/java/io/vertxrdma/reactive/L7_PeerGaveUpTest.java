package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L7_PeerGaveUpTest {

  private final BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();

  private RdmaServer listening(Bench bench) {
    RdmaServer server = bench.server();
    server.connectRequestHandler(requests::add);
    return Bench.get(server.listen());
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void anAcceptThatTheKernelRefusesFailsAsPeerGone(Transport transport) throws Exception {
    try (Bench bench = new Bench(transport)) {
      listening(bench);
      bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      ConnectRequest request = requests.take();
      bench.fake.failNext("rdma_accept", 22);

      Throwable failure = Bench.failure(request.accept());

      assertThat(failure)
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("gave up")
          .hasMessageContaining("EINVAL");
      bench.assertNoConnectionLeft();

      // The listener goes on.
      bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      assertThat(Bench.get(requests.take().accept()).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aClientThatIsDisposedBeforeTheAnswerLeavesNothingAtTheServer(Transport transport)
      throws Exception {
    try (Bench bench = new Bench(transport)) {
      listening(bench);
      RdmaClient client = bench.elsewhere(bench::client);
      Disposable attempt = client.rxConnect(Bench.PORT, Bench.HOST).subscribe();
      ConnectRequest request = requests.take();

      attempt.dispose();
      // The listener, and the id of the request.
      Bench.until("the client's id to go", () -> bench.fake.ids().size() == 2);
      Throwable failure = Bench.failure(request.accept());

      assertThat(failure).isInstanceOf(ConnectionClosedException.class);
      bench.assertNoConnectionLeft();
      client.connect(Bench.PORT, Bench.HOST);
      assertThat(Bench.get(requests.take().accept()).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aPeerThatLeavesWhileItsRequestWaitsTakesItAlong(Transport transport) throws Exception {
    try (Bench bench = new Bench(transport)) {
      listening(bench);
      bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      ConnectRequest request = requests.take();
      assertThat(request.isAnswered()).isFalse();

      bench.fake.event(bench.fake.lastId()).type(8).status(28).enqueue();
      Bench.until("the request to be over", request::isAnswered);

      assertThat(Bench.failure(request.accept())).isInstanceOf(ConnectionClosedException.class);
      assertThat(bench.fake.calls("rdma_accept")).isEmpty();
      Bench.until("its id to go", () -> bench.fake.ids().size() == 1);
    }
  }
}
