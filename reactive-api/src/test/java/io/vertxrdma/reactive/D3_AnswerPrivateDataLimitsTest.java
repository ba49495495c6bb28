package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectionRejectedException;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D3: the limits of an answer are held before any native call. */
class D3_AnswerPrivateDataLimitsTest {

  private final BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
  private final Bench bench = new Bench();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private static Buffer bytes(int length) {
    Buffer made = Buffer.buffer();
    for (int i = 0; i < length; i++) {
      made.appendByte((byte) (i + 1));
    }
    return made;
  }

  private void listen() {
    RdmaServer server = bench.server();
    server.connectRequestHandler(requests::add);
    Bench.get(server.listen());
  }

  private ConnectRequest request() throws InterruptedException {
    listen();
    bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
    return requests.take();
  }

  @Test
  void anAnswerCarriesUpTo196Bytes() throws Exception {
    ConnectRequest request = request();

    Bench.get(request.accept(bytes(196)));

    assertThat(bench.fake.lastCall("rdma_accept").data()).isEqualTo(bytes(196).getBytes());
  }

  @Test
  void afterARefusedAnswerTheRequestCanStillBeAnswered() throws Exception {
    ConnectRequest request = request();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.accept(bytes(197)))
        .withMessageContaining("196")
        .withMessageContaining("197");
    assertThat(request.isAnswered()).isFalse();
    assertThat(bench.fake.calls("rdma_accept")).isEmpty();

    Bench.get(request.accept(bytes(10)));
    assertThat(bench.fake.lastCall("rdma_accept").data()).hasSize(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 148})
  void aRejectCarriesUpTo148Bytes(int length) throws Exception {
    listen();
    var connect = bench.client().connect(Bench.PORT, Bench.HOST);

    Bench.get(requests.take().reject(bytes(length)));

    ConnectionRejectedException rejected = (ConnectionRejectedException) Bench.failure(connect);
    assertThat(rejected.reason()).isEqualTo(28);
    assertThat(rejected.privateData()).isEqualTo(Arrays.copyOf(bytes(length).getBytes(), 148));
  }

  @Test
  void afterARefusedRejectTheRequestCanStillBeAnswered() throws Exception {
    ConnectRequest request = request();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.reject(bytes(149)))
        .withMessageContaining("148")
        .withMessageContaining("149");
    assertThat(bench.fake.calls("rdma_reject")).isEmpty();

    Bench.get(request.reject(bytes(3)));
    assertThat(bench.fake.lastCall("rdma_reject").data()).hasSize(3);
  }
}
