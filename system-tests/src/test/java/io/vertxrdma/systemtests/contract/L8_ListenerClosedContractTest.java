package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L8: the listener is closed while requests are unanswered. */
class L8_ListenerClosedContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private List<Future<RdmaConnection>> three(RdmaClient client, int port) {
    List<Future<RdmaConnection>> connecting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      connecting.add(client.connect(port, rig.address()));
    }
    return connecting;
  }

  private void areRejected(List<Future<RdmaConnection>> connecting) {
    assertThat(connecting)
        .allSatisfy(
            each ->
                assertThat(rig.awaitFailure(each)).isInstanceOf(ConnectionRejectedException.class));
  }

  private static boolean isDone(TestSubscriber<?> subscriber) {
    try {
      return subscriber.await(0, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private void canBeListenedOnAtOnce(int port) {
    RdmaServer next = rig.server();
    next.connectRequestHandler(request -> request.accept());
    rig.await(next.listen(port, rig.address()));
    assertThat(rig.await(rig.client().connect(port, rig.address())).isOpen()).isTrue();
  }

  @Test
  void requests_in_a_handlers_hands_are_rejected_and_the_port_is_free() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting = three(rig.client(), port);
    List<ConnectRequest> held = List.of(requests.next(), requests.next(), requests.next());

    rig.await(server.close());

    areRejected(connecting);
    assertThat(held).allMatch(ConnectRequest::isAnswered);
    canBeListenedOnAtOnce(port);
  }

  @Test
  void requests_nobody_asked_for_are_rejected_and_the_streams_complete() {
    RdmaServer server = rig.server();
    TestSubscriber<ConnectRequest> requests = server.connectRequests().test(1);
    TestSubscriber<RdmaConnection> connections = server.connections().test();
    int port = rig.listen(server);
    var connecting = three(rig.client(), port);
    requests.awaitCount(1);

    rig.await(server.close());

    areRejected(connecting);
    rig.until("the request stream completed", () -> isDone(requests));
    rig.until("the connection stream completed", () -> isDone(connections));
    requests.assertValueCount(1).assertComplete();
    connections.assertNoValues().assertComplete();
    canBeListenedOnAtOnce(port);
  }

  @Test
  void undeploying_the_verticle_that_listens_rejects_and_frees_the_port() {
    Promise<Integer> listening = Promise.promise();
    Promise<ConnectRequest> seen = Promise.promise();
    String deployed =
        rig.await(
            rig.vertx()
                .deployVerticle(
                    new AbstractVerticle() {
                      @Override
                      public void start() {
                        RdmaServer server =
                            RdmaServer.create(vertx, new RdmaServerOptions(), rig.provider());
                        server.connectRequestHandler(seen::tryComplete);
                        server
                            .listen(0, rig.address())
                            .map(RdmaServer::actualPort)
                            .onComplete(listening);
                      }
                    }));
    int port = rig.await(listening.future());
    var connecting = three(rig.client(), port);
    rig.await(seen.future());

    rig.await(rig.vertx().undeploy(deployed));

    areRejected(connecting);
    canBeListenedOnAtOnce(port);
  }

  @Test
  void closing_again_is_the_same_close() {
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> request.accept());
    rig.listen(server);

    Future<Void> first = server.close();
    Future<Void> second = server.close();

    rig.await(first);
    assertThat(second.succeeded()).isTrue();
    assertThat(rig.liveIds()).isZero();
    rig.await(rig.vertx().close());
    assertThat(server.close().succeeded()).as("also when Vert.x itself has closed").isTrue();
  }
}
