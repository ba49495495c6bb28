package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Case D2: private data arrives as the whole field of the message, zero-padded, whatever its length
 * was. No provider may be kinder.
 */
class D2_ZeroPaddingContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  static Stream<byte[]> five_bytes() {
    return Stream.of(new byte[] {1, 2, 3, 4, 5}, new byte[] {1, 2, 3, 0, 0});
  }

  @ParameterizedTest
  @MethodSource("five_bytes")
  void a_request_and_its_acceptance_arrive_padded_to_56_and_196_bytes(byte[] sent) {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions(),
            new RdmaClientOptions(),
            Buffer.buffer(sent),
            Buffer.buffer(sent));

    assertThat(pair.server().peerPrivateData().getBytes()).isEqualTo(Arrays.copyOf(sent, 56));
    assertThat(pair.client().peerPrivateData().getBytes()).isEqualTo(Arrays.copyOf(sent, 196));
  }

  @ParameterizedTest
  @MethodSource("five_bytes")
  void a_rejection_arrives_padded_to_148_bytes(byte[] sent) {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting = rig.client().connect(port, rig.address());
    ConnectRequest request = requests.next();

    request.reject(Buffer.buffer(sent));

    Throwable failure = rig.awaitFailure(connecting);
    assertThat(failure).isInstanceOf(ConnectionRejectedException.class);
    assertThat(((ConnectionRejectedException) failure).privateData())
        .isEqualTo(Arrays.copyOf(sent, 148));
  }
}
