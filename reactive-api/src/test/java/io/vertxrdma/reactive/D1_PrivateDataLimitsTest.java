package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D1: the limit of a request is held before any native call. */
class D1_PrivateDataLimitsTest {

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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 55, 56})
  void aRequestCarriesUpToFiftySixBytesExactly(int length) throws Exception {
    listen();

    bench.client().connect(Bench.PORT, Bench.HOST, bytes(length));

    ConnectRequest request = requests.take();
    assertThat(bench.fake.lastCall("rdma_connect").data()).isEqualTo(bytes(length).getBytes());
    assertThat(request.privateData().getBytes())
        .isEqualTo(Arrays.copyOf(bytes(length).getBytes(), 56));
    Bench.get(request.reject());
  }

  @ParameterizedTest
  @ValueSource(ints = {57, 100, 255})
  void aLongerRequestFailsNamingLimitAndLengthAndThePeerSeesNothing(int length) {
    listen();

    assertThat(Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST, bytes(length))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("56")
        .hasMessageContaining(String.valueOf(length));

    assertThat(bench.fake.calls("rdma_connect")).isEmpty();
    Bench.until("the id to go", () -> bench.fake.ids().size() == 1);
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 300})
  void whatNoDeviceTakesIsRefusedAtOnce(int length) {
    RdmaClient client = bench.client();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.connect(Bench.PORT, Bench.HOST, bytes(length)))
        .withMessageContaining(String.valueOf(length));
    client
        .rxConnect(Bench.PORT, Bench.HOST, bytes(length))
        .test()
        .assertError(IllegalArgumentException.class);

    assertThat(bench.fake.calls("rdma_create_id")).isEmpty();
  }

  @Test
  void anIwarpDeviceTakesMore() {
    try (Bench iwarp = new Bench(fake -> fake.device("fake0").iwarp())) {
      Bench.get(iwarp.client().connect(Bench.PORT, Bench.HOST, bytes(100)));

      assertThat(iwarp.fake.lastCall("rdma_connect").data()).hasSize(100);
    }
  }
}
