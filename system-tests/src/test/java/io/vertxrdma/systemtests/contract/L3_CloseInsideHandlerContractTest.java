package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Case L3: closing while an event is being handled. librdmacm's destroy waits for events that were
 * not acknowledged; a library that acknowledges late would hang here for ever.
 */
class L3_CloseInsideHandlerContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_server_closes_inside_its_request_handler_and_the_client_is_rejected() {
    RdmaServer server = rig.server();
    Promise<Void> closed = Promise.promise();
    server.connectRequestHandler(request -> server.close().onComplete(closed));
    int port = rig.listen(server);

    var connecting = rig.client().connect(port, rig.address());

    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectionRejectedException.class);
    rig.await(closed.future());
  }

  @ParameterizedTest
  @EnumSource(
      value = CmEventType.class,
      names = {"ADDR_RESOLVED", "ROUTE_RESOLVED", "ESTABLISHED"})
  void a_client_closes_inside_any_event_of_its_attempt(CmEventType when) {
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    RdmaClient client = rig.client();
    Promise<Void> closed = Promise.promise();
    client
        .events()
        .filter(event -> event.type() == when)
        .subscribe(event -> client.close().onComplete(closed));

    var connecting = client.connect(server.actualPort(), rig.address());

    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectionClosedException.class);
    rig.await(closed.future());
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    assertThat(rig.await(rig.client().connect(server.actualPort(), rig.address())).isOpen())
        .as("the listener goes on")
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = CmEventType.class,
      names = {"CONNECT_REQUEST", "ESTABLISHED", "DISCONNECTED"})
  void a_server_closes_inside_any_event_of_a_connection(CmEventType when) {
    RdmaServer server = rig.server();
    Promise<Void> closed = Promise.promise();
    server
        .events()
        .filter(event -> event.type() == when)
        .subscribe(event -> server.close().onComplete(closed));
    // Accepting may fail here, and the request may be withdrawn by the close: both are fine.
    server.connectRequestHandler(request -> request.accept());
    int port = rig.listen(server);

    Future<RdmaConnection> connecting = rig.client().connect(port, rig.address());

    connecting.onSuccess(RdmaConnection::close);
    rig.await(closed.future());
    rig.await(
        connecting.transform(
            done -> done.succeeded() ? done.result().closed() : Future.succeededFuture()));
    rig.until("no id is left", () -> rig.liveIds() == 0);
  }

  @Test
  void closing_from_another_thread_while_a_handler_is_busy_waits_for_it_and_completes() {
    rig.occupyDevice();
    ContractRig.Pair pair = rig.pair();
    CountDownLatch handling = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    pair.server()
        .immediateHandler(
            (connection, immediate, length) -> {
              handling.countDown();
              await(goOn);
            });
    rig.await(pair.client().writeImmediate(1));
    await(handling);

    Future<Void> closing = pair.server().close();
    Future<Void> listenerClosing = pair.listener().close();
    rig.pause(200);
    assertThat(closing.isComplete()).isFalse();
    goOn.countDown();

    rig.await(closing);
    rig.await(listenerClosing);
    rig.await(pair.client().closed());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
