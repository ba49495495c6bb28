package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.cm.HandshakeRejection.Code;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReconnectPolicy;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Shutdown, reconnecting, heartbeat, and what has to be set before bind or connect. */
class LifeCycleContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_shutdown_lets_the_writes_under_way_arrive() {
    ContractRig.Pair pair = rig.pair();
    Future<List<Long>> arrived = rig.immediates(pair.server(), 500);
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      writes.add(pair.client().writeImmediate(i));
    }

    rig.await(pair.connector().shutdown(20, TimeUnit.SECONDS));

    assertThat(writes).allMatch(Future::succeeded);
    assertThat(rig.await(arrived)).hasSize(500);
    rig.await(pair.server().closed());
  }

  @Test
  void a_server_that_shuts_down_tells_those_who_wait_for_an_answer() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    Future<RdmaConnection> waiting = rig.client().connect(port, rig.address());
    ConnectRequest request = requests.next();

    rig.await(server.shutdown(20, TimeUnit.SECONDS));

    Throwable failure = rig.awaitFailure(waiting);
    assertThat(failure)
        .isInstanceOf(HandshakeRejectedException.class)
        .hasMessageContaining("the server is shutting down");
    assertThat(((HandshakeRejectedException) failure).rejection().known())
        .contains(Code.SHUTTING_DOWN);
    assertThat(request.isAnswered()).isTrue();
  }

  @Test
  void requests_beyond_those_that_may_wait_are_told_that_the_server_is_busy() {
    RdmaServer server = rig.server(new RdmaServerOptions().setMaxPendingRequests(1));
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();
    Future<RdmaConnection> first = client.connect(port, rig.address());
    ConnectRequest held = requests.next();

    Throwable failure = rig.awaitFailure(client.connect(port, rig.address()));

    assertThat(failure)
        .isInstanceOf(HandshakeRejectedException.class)
        .hasMessageContaining("the server is busy")
        .matches(ReconnectPolicy::isTransient);
    rig.await(held.accept());
    assertThat(rig.await(first).isOpen()).isTrue();
  }

  @Test
  void a_client_comes_back_when_its_server_does() {
    RdmaServer first = rig.acceptingServer(new RdmaServerOptions());
    int port = first.actualPort();
    List<RdmaConnection> connections = new CopyOnWriteArrayList<>();
    var coming =
        rig.client()
            .connections(
                port,
                rig.address(),
                (Buffer) null,
                ReconnectPolicy.exponential(20, 200, TimeUnit.MILLISECONDS))
            .subscribe(connections::add);
    rig.until("the first connection", () -> connections.size() == 1);

    rig.await(first.close());
    RdmaServer second = rig.server();
    second.connectRequestHandler(ConnectRequest::accept);
    rig.await(second.listen(port, rig.address()));

    rig.until("another connection", () -> connections.size() == 2);
    coming.dispose();
    rig.await(connections.get(1).closed());
  }

  @Test
  void the_clients_inbox_is_known_to_the_server_before_it_accepts() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    AtomicReference<RegisteredBuffer> inbox = new AtomicReference<>();
    Future<RdmaConnection> connecting =
        rig.client()
            .connect(
                port,
                rig.address(),
                memory ->
                    memory
                        .allocateInbox(64)
                        .onSuccess(inbox::set)
                        .map(made -> made.remote().encode()));
    ConnectRequest request = requests.next();
    RemoteMemory there = RemoteMemory.decode(request.privateData());
    RegisteredBuffer text = rig.await(request.memory().copyOf(Buffer.buffer("hello")));
    RdmaConnection accepted = rig.await(request.accept());
    Future<List<Long>> arrived = rig.immediates(rig.await(connecting), 1);

    rig.await(accepted.writeWithImmediate(text, there, 5));

    assertThat(rig.await(arrived)).containsExactly(5L);
    assertThat(inbox.get().getBuffer(0, 5).toString()).isEqualTo("hello");
  }

  @Test
  void heartbeats_take_no_receive_and_are_not_seen() {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setReceiveDepth(1),
            new RdmaClientOptions().setHeartbeatInterval(20));
    int posted = pair.server().counters().receivesPosted();

    rig.pause(500);

    assertThat(pair.client().isOpen()).isTrue();
    assertThat(pair.client().counters().operationsCompleted()).isZero();
    assertThat(pair.server().counters().receivesPosted()).isEqualTo(posted);
    assertThat(pair.server().counters().immediatesReceived()).isZero();
    Future<List<Long>> arrived = rig.immediates(pair.server(), 1);
    rig.await(pair.client().writeImmediate(9));
    assertThat(rig.await(arrived)).containsExactly(9L);
  }

  @Test
  void the_ack_timeout_is_the_queue_pairs() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions(), new RdmaClientOptions().setAckTimeout(15));

    assertThat(pair.client().queuePairAttributes().timeout()).isEqualTo(15);
  }

  @Test
  void a_listener_for_ipv6_only_leaves_ipv4_to_another() {
    RdmaServer six = rig.server(new RdmaServerOptions().setAddressFamilyOnly(true));
    six.connectRequestHandler(ConnectRequest::accept);
    int port = rig.await(six.listen(0, "::")).actualPort();
    RdmaClient client = rig.client();
    assertThat(rig.awaitFailure(client.connect(port, rig.address())))
        .isInstanceOf(ConnectionRejectedException.class);

    RdmaServer four = rig.server();
    four.connectRequestHandler(ConnectRequest::accept);
    rig.await(four.listen(port, "0.0.0.0"));

    assertThat(rig.await(client.connect(port, rig.address())).isOpen()).isTrue();
  }

  @Test
  void a_type_of_service_is_taken() {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setTypeOfService(104),
            new RdmaClientOptions().setTypeOfService(104));

    rig.await(pair.client().writeImmediate(1));
  }
}
