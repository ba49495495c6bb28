package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case D6: private data and status outlive the event they came with, its id and its server. */
class D6_PrivateDataAfterAckContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void requests_connections_events_and_rejections_can_be_read_when_everything_is_closed() {
    RdmaServer server = rig.server();
    List<CmEvent> events = new CopyOnWriteArrayList<>();
    server.events().subscribe(events::add);
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();
    client.events().subscribe(events::add);

    var connecting = client.connect(port, rig.address(), Buffer.buffer("question"));
    ConnectRequest request = requests.next();
    var accepted = rig.await(request.accept(Buffer.buffer("answer")));
    var connected = rig.await(connecting);
    var refusing = client.connect(port, rig.address(), Buffer.buffer("second"));
    ConnectRequest second = requests.next();
    second.reject(Buffer.buffer("no"));
    Throwable refused = rig.awaitFailure(refusing);
    rig.await(client.close());
    rig.await(server.close());
    rig.await(rig.vertx().close());

    assertThat(text(request.privateData().getBytes())).isEqualTo("question");
    assertThat(text(second.privateData().getBytes())).isEqualTo("second");
    assertThat(text(accepted.peerPrivateData().getBytes())).isEqualTo("question");
    assertThat(text(connected.peerPrivateData().getBytes())).isEqualTo("answer");
    assertThat(text(((ConnectionRejectedException) refused).privateData())).isEqualTo("no");
    assertThat(request.offered().retryCount()).isPositive();
    assertThat(request.remoteAddress()).isEqualTo(connected.localAddress());
    assertThat(text(only(events, CmEventType.REJECTED).privateData())).isEqualTo("no");
    assertThat(only(events, CmEventType.REJECTED).status()).isEqualTo(28);
    assertThat(events)
        .filteredOn(event -> event.type() == CmEventType.CONNECT_REQUEST)
        .extracting(event -> text(event.privateData()))
        .containsExactly("question", "second");
  }

  private static CmEvent only(List<CmEvent> events, CmEventType type) {
    List<CmEvent> found = events.stream().filter(event -> event.type() == type).toList();
    assertThat(found).as("events of type %s", type).hasSize(1);
    return found.get(0);
  }

  private static String text(byte[] padded) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == 0) {
      length--;
    }
    return new String(Arrays.copyOf(padded, length));
  }
}
