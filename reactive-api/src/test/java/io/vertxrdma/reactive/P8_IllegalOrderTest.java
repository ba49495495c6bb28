package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.vertx.core.Future;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.FlushedException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class P8_IllegalOrderTest {

  private final BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
  private Bench bench;

  @BeforeEach
  void setUp() {
    bench = new Bench();
  }

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private ConnectRequest request() throws InterruptedException {
    RdmaServer server = bench.server();
    server.connectRequestHandler(requests::add);
    Bench.get(server.listen());
    bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
    return requests.take();
  }

  @Test
  void aSecondAcceptIsRefusedWithoutANativeCall() throws Exception {
    ConnectRequest request = request();
    Future<RdmaConnection> first = request.accept();

    assertThatIllegalStateException()
        .isThrownBy(request::accept)
        .withMessageContaining("answered already");

    assertThat(Bench.get(first).isOpen()).isTrue();
    assertThatIllegalStateException().isThrownBy(request::accept);
    assertThat(bench.fake.calls("rdma_accept")).hasSize(1);
    assertThat(bench.fake.calls("rdma_create_qp")).hasSize(1);
  }

  @Test
  void aRejectAfterAnAcceptIsRefusedAndHarmless() throws Exception {
    ConnectRequest request = request();
    Future<RdmaConnection> first = request.accept();

    assertThatIllegalStateException().isThrownBy(request::reject);

    assertThat(Bench.get(first).isOpen()).isTrue();
    assertThat(bench.fake.calls("rdma_reject")).isEmpty();
  }

  @Test
  void anAcceptAfterARejectIsRefused() throws Exception {
    ConnectRequest request = request();
    Bench.get(request.reject());

    assertThatIllegalStateException().isThrownBy(request::accept);

    assertThat(request.isAnswered()).isTrue();
    assertThat(bench.fake.calls("rdma_reject")).hasSize(1);
    assertThat(bench.fake.calls("rdma_accept")).isEmpty();
    bench.assertNoConnectionLeft();
  }

  @Test
  void everyOperationAfterCloseIsRefusedWithoutANativeCall() {
    RdmaConnection connection = bench.connection();
    RegisteredBuffer memory = Bench.get(connection.memory().allocate(64));
    Bench.get(connection.close());
    bench.fake.clearCalls();

    assertThatIllegalStateException()
        .isThrownBy(() -> connection.writeImmediate(1))
        .withMessageContaining("closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> connection.write(memory.all(), new RemoteMemory(4096, 1, 64)));
    connection.rxWriteImmediate(1).test().assertError(IllegalStateException.class);

    bench.settle();
    assertThat(bench.fake.calls()).isEmpty();
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void anOperationAfterThePeerClosedFailsAndIsNeverPosted() {
    RdmaConnection connection = bench.connection();
    bench.fake.event(bench.idOf("rdma_connect")).type(10).enqueue();
    Bench.get(connection.closed());

    assertThat(Bench.failure(connection.writeImmediate(1)))
        .isInstanceOfAny(FlushedException.class, ConnectionClosedException.class);

    assertThat(bench.fake.calls("post_send")).isEmpty();
  }

  @Test
  void anOperationBetweenCloseAndTheEndIsRefused() {
    bench.fake.silence("rdma_disconnect");
    RdmaConnection connection = bench.connection(new RdmaClientOptions().setCloseTimeout(100));
    Future<Void> closing = connection.close();

    assertThatIllegalStateException().isThrownBy(() -> connection.writeImmediate(1));

    Bench.get(closing);
    assertThat(bench.fake.calls("post_send")).isEmpty();
  }

  @Test
  void aSecondListenIsRefused() {
    RdmaServer server = bench.server();
    server.connectRequestHandler(ConnectRequest::reject);
    Future<RdmaServer> first = server.listen();

    assertThatIllegalStateException()
        .isThrownBy(server::listen)
        .withMessageContaining("listens already");
    assertThatIllegalStateException().isThrownBy(() -> server.connectRequestHandler(requests::add));

    Bench.get(first);
    assertThat(bench.fake.calls("rdma_listen")).hasSize(1);
  }

  @Test
  void aConnectOfAClosedClientIsRefused() {
    RdmaClient client = bench.client();
    Bench.get(client.close());

    assertThatIllegalStateException()
        .isThrownBy(() -> client.connect(Bench.PORT, Bench.HOST))
        .withMessageContaining("closed");
    client.rxConnect(Bench.PORT, Bench.HOST).test().assertError(IllegalStateException.class);
    assertThat(bench.fake.calls("rdma_create_id")).isEmpty();
  }
}
