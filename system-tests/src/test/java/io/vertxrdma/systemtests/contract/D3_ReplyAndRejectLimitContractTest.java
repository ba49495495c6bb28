package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D3: how much private data an acceptance and a rejection take. */
class D3_ReplyAndRejectLimitContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private Future<RdmaConnection> connecting;
  private ConnectRequest request;

  @BeforeEach
  void a_client_asks() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    connecting = rig.client().connect(port, rig.address());
    request = requests.next();
  }

  private static Buffer bytes(int length) {
    return D1_RequestPrivateDataLimitContractTest.bytes(length);
  }

  @Test
  void an_acceptance_takes_196_bytes() {
    rig.await(request.accept(bytes(196)));

    assertThat(rig.await(connecting).peerPrivateData()).isEqualTo(bytes(196));
  }

  @ParameterizedTest
  @ValueSource(ints = {197, 255, 256, 300})
  void an_acceptance_that_is_too_long_is_refused_and_the_request_can_still_be_accepted(int length) {
    assertThatThrownBy(() -> request.accept(bytes(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("196")
        .hasMessageContaining(String.valueOf(length));
    assertThat(request.isAnswered()).isFalse();

    rig.await(request.accept(bytes(10)));

    assertThat(rig.await(connecting).peerPrivateData().slice(0, 10)).isEqualTo(bytes(10));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 148})
  void a_rejection_takes_148_bytes(int length) {
    rig.await(request.reject(bytes(length)));

    assertThat(rejection().reason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
    assertThat(rejection().privateData()).isEqualTo(Arrays.copyOf(bytes(length).getBytes(), 148));
  }

  @Test
  void a_rejection_that_is_too_long_is_refused_and_can_be_repeated() {
    assertThatThrownBy(() -> request.reject(bytes(149)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("148")
        .hasMessageContaining("149");
    assertThat(request.isAnswered()).isFalse();

    rig.await(request.reject(bytes(3)));

    assertThat(Arrays.copyOf(rejection().privateData(), 3)).containsExactly(1, 2, 3);
  }

  private ConnectionRejectedException rejection() {
    Throwable failure = rig.awaitFailure(connecting);
    assertThat(failure)
        .isInstanceOf(ConnectionRejectedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status 28");
    return (ConnectionRejectedException) failure;
  }
}
