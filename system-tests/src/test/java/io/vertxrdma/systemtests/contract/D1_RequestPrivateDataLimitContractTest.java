package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D1: how much private data a request takes. */
class D1_RequestPrivateDataLimitContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  static Buffer bytes(int length) {
    Buffer data = Buffer.buffer(length);
    for (int i = 0; i < length; i++) {
      data.appendByte((byte) (i + 1));
    }
    return data;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 55, 56})
  void up_to_56_bytes_arrive_byte_for_byte(int length) {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);

    var connecting = rig.client().connect(port, rig.address(), bytes(length));
    ConnectRequest request = requests.next();

    assertThat(request.privateData().slice(0, length)).isEqualTo(bytes(length));
    var accepted = rig.await(request.accept());
    assertThat(accepted.peerPrivateData()).isEqualTo(request.privateData());
    rig.await(connecting);
  }

  @ParameterizedTest
  @ValueSource(ints = {57, 100, 255})
  void more_is_refused_with_the_limit_and_the_length_and_the_peer_sees_nothing(int length) {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();

    Throwable failure = rig.awaitFailure(client.connect(port, rig.address(), bytes(length)));

    assertThat(failure)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("56")
        .hasMessageContaining(String.valueOf(length));
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    assertThat(requests.count()).isZero();
    var connecting = client.connect(port, rig.address(), bytes(56));
    rig.await(requests.next().accept());
    rig.await(connecting);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 300, 100_000})
  void what_no_device_takes_is_refused_at_the_call(int length) {
    RdmaClient client = rig.client();

    assertThatThrownBy(() -> client.connect(4711, rig.address(), bytes(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("56")
        .hasMessageContaining(String.valueOf(length));
  }

  @Test
  void none_at_all_is_all_zero_at_the_server() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);

    var connecting = rig.client().connect(port, rig.address());
    ConnectRequest request = requests.next();

    assertThat(request.privateData().getBytes()).containsOnly(0).hasSize(56);
    rig.await(request.accept());
    rig.await(connecting);
  }
}
