package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nonsense is refused at once, naming the limit and the value. */
class BadInputContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private static void refused(ThrowingCallable call, String limit, String value) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(limit)
        .hasMessageContaining(value);
  }

  @Test
  void ports() {
    RdmaClient client = rig.client();
    refused(() -> client.connect(0, rig.address()), "1..65535", "was 0");
    refused(() -> client.connect(-1, rig.address()), "1..65535", "-1");
    refused(() -> client.connect(65_536, rig.address()), "1..65535", "65536");
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> request.accept());
    refused(() -> server.listen(65_536, rig.address()), "0..65535", "65536");
    refused(() -> server.listen(-2, rig.address()), "0..65535", "-2");
    refused(() -> new RdmaServerOptions().setPort(65_536), "0..65535", "65536");
    refused(() -> new RdmaClientOptions().setLocalPort(-1), "0..65535", "-1");
    assertThat(rig.listen(server)).as("it can still listen").isPositive();
  }

  @Test
  void connection_parameters() {
    ConnectionParameters any = ConnectionParameters.DEFAULT;
    refused(() -> any.withResponderResources(-1), "responderResources must be 0..255", "-1");
    refused(() -> any.withResponderResources(300), "responderResources must be 0..255", "300");
    refused(() -> any.withInitiatorDepth(-1), "initiatorDepth must be 0..255", "-1");
    refused(() -> any.withInitiatorDepth(300), "initiatorDepth must be 0..255", "300");
    refused(() -> any.withRetryCount(8), "retryCount must be 0..7", "8");
    refused(() -> any.withRnrRetryCount(8), "rnrRetryCount must be 0..7", "8");
    refused(() -> any.withRnrRetryCount(-1), "rnrRetryCount must be 0..7", "-1");
    refused(() -> any.withMinRnrTimer(32), "minRnrTimer must be 0..31", "32");
    refused(
        () -> new ConnectionParameters(new JsonObject().put("initiatorDepth", 300)),
        "initiatorDepth must be 0..255",
        "300");
    refused(
        () -> new ConnectionParameters(new JsonObject().put("retries", 3)), "unknown", "retries");
  }

  @Test
  void options() {
    RdmaClientOptions client = new RdmaClientOptions();
    refused(() -> client.setReceiveDepth(0), "receiveDepth must be 1..", "was 0");
    refused(() -> client.setReceiveDepth(-1), "receiveDepth must be 1..", "-1");
    refused(() -> client.setSendDepth(1 << 21), "sendDepth must be 1..", "2097152");
    refused(() -> client.setConnectTimeout(0), "connectTimeout must be 1..", "was 0");
    refused(() -> client.setCloseTimeout(0), "closeTimeout must be 1..", "was 0");
    refused(() -> client.setTypeOfService(256), "255", "256");
    refused(() -> client.setAckTimeout(32), "31", "32");
    refused(() -> new RdmaServerOptions().setMaxPendingRequests(0), "1..", "was 0");
    refused(
        () -> new RdmaClientOptions(new JsonObject().put("recieveDepth", 3)),
        "unknown",
        "recieveDepth");
    assertThatThrownBy(() -> client.setParameters(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> client.setProvider(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void a_missing_host() {
    assertThatThrownBy(() -> rig.client().connect(4711, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("host");
  }

  @Test
  void a_provider_nobody_has() {
    RdmaClient client =
        RdmaClient.create(rig.vertx(), new RdmaClientOptions().setProvider("nonsense"));

    assertThat(rig.awaitFailure(client.connect(4711, rig.address())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense")
        .hasMessageContaining(ContractRig.providerName());
    rig.await(client.close());
  }

  @Test
  void operations_and_memory() {
    ContractRig.Pair pair = rig.pair();
    RdmaConnection client = pair.client();
    RegisteredBuffer buffer = rig.await(client.memory().allocate(64));
    RemoteMemory here = buffer.remote();

    refused(() -> client.writeImmediate(-1), "4294967295", "-1");
    refused(() -> client.writeImmediate(1L << 32), "4294967295", "4294967296");
    refused(() -> client.write(buffer.all(), null), "64", "none");
    refused(() -> client.write(buffer.all(), here.slice(0, 63)), "64", "63");
    assertThatThrownBy(() -> buffer.slice(60, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.slice(-1, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    refused(() -> client.setWriteQueueMaxSize(0), "1 or more", "was 0");
    refused(() -> client.memory().allocate(0), "1", "0");
    refused(() -> client.memory().register(ByteBuffer.allocate(64), Set.of()), "direct", "heap");
    RegisteredBuffer other = rig.await(pair.server().memory().allocate(64));
    assertThatThrownBy(() -> client.write(other.all(), here))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(client.isOpen()).as("none of this harms the connection").isTrue();
    rig.await(client.writeImmediate(1));
  }

  @Test
  void queues_deeper_than_the_device_fail_the_connect_naming_both() {
    long most = rig.device().attributes().maxQueuePairWorkRequests();
    int tooDeep = 1 << 20;
    assertThat(2L * tooDeep)
        .as("entries asked for")
        .isGreaterThan(rig.device().attributes().maxCompletionQueueEntries());
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    RdmaClient client =
        rig.client(new RdmaClientOptions().setReceiveDepth(tooDeep).setSendDepth(tooDeep));

    Throwable failure = rig.awaitFailure(client.connect(server.actualPort(), rig.address()));

    assertThat(failure)
        .hasMessageContaining(
            tooDeep > most
                ? String.valueOf(most)
                : String.valueOf(rig.device().attributes().maxCompletionQueueEntries()))
        .hasMessageContaining(String.valueOf(tooDeep > most ? tooDeep : 2 * tooDeep))
        .hasMessageContaining(rig.device().name());
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }

  @Test
  void queues_deeper_than_the_device_fail_the_accept_and_the_client_is_rejected() {
    int tooDeep = 1 << 20;
    RdmaServer server =
        rig.server(new RdmaServerOptions().setReceiveDepth(tooDeep).setSendDepth(tooDeep));
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);

    var connecting = rig.client().connect(port, rig.address());

    assertThat(rig.awaitFailure(requests.next().accept()))
        .hasMessageContaining(rig.device().name());
    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectionRejectedException.class);
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }
}
