package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Case D5: private data in memory of any kind, also while the garbage collector runs. */
class D5_PrivateDataMemoryContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  static Stream<Arguments> buffers() {
    return Stream.of(
        Arguments.of("null", null, ""),
        Arguments.of("empty", Buffer.buffer(), ""),
        Arguments.of("of bytes", Buffer.buffer("hello"), "hello"),
        Arguments.of("slice with an offset", Buffer.buffer("xxhelloyy").slice(2, 7), "hello"),
        Arguments.of("slice of a slice", Buffer.buffer("xhelloy").slice(1, 7).slice(0, 5), "hello"),
        Arguments.of("more room than bytes", Buffer.buffer(4096).appendString("hello"), "hello"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("buffers")
  void arrives_as_it_is_on_the_way_there_and_back(String kind, Buffer data, String text) {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);

    var connecting = rig.client().connect(port, rig.address(), data);
    var request = requests.next();
    rig.await(request.accept(data));

    assertThat(request.privateData().getString(0, text.length())).isEqualTo(text);
    assertThat(rig.await(connecting).peerPrivateData().getString(0, text.length())).isEqualTo(text);
  }

  @Test
  void is_copied_at_the_call_so_that_later_changes_do_not_matter() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();

    for (int i = 1; i <= 20; i++) {
      Buffer data = Buffer.buffer().appendInt(i);
      var connecting = client.connect(port, rig.address(), data);
      data.setInt(0, -1);
      System.gc();
      var request = requests.next();
      assertThat(request.privateData().getInt(0)).isEqualTo(i);
      Buffer answer = Buffer.buffer().appendInt(-i);
      var accepting = request.accept(answer);
      answer.setInt(0, 0);
      System.gc();
      rig.await(accepting);
      assertThat(rig.await(connecting).peerPrivateData().getInt(0)).isEqualTo(-i);
    }
  }
}
