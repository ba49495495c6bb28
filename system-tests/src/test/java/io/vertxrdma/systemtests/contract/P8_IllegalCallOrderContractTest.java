package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case P8: calls in an order that makes no sense throw at once and harm nothing. */
class P8_IllegalCallOrderContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private static void illegal(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_request_is_answered_once_and_the_connection_of_the_first_answer_works() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting = rig.client().connect(port, rig.address());
    var request = requests.next();

    var accepting = request.accept();

    assertThat(request.isAnswered()).isTrue();
    illegal(() -> request.accept());
    illegal(() -> request.accept(Buffer.buffer("again")));
    illegal(() -> request.reject());
    RdmaConnection accepted = rig.await(accepting);
    illegal(() -> request.accept());
    illegal(() -> request.reject());
    var arrived = rig.immediates(accepted, 1);
    rig.await(rig.await(connecting).writeImmediate(1));
    assertThat(rig.await(arrived)).containsExactly(1L);
  }

  @Test
  void a_rejected_request_is_not_accepted_afterwards() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting = rig.client().connect(port, rig.address());
    var request = requests.next();

    var rejecting = request.reject();

    illegal(() -> request.accept());
    illegal(() -> request.reject());
    rig.await(rejecting);
    rig.awaitFailure(connecting);
  }

  @Test
  void a_server_listens_once_and_not_before_somebody_answers_nor_after_close() {
    RdmaServer server = rig.server();
    illegal(() -> server.listen(0, rig.address()));
    server.connectRequestHandler(request -> request.accept());

    int port = rig.listen(server);

    illegal(() -> server.listen(0, rig.address()));
    illegal(() -> server.connectRequestHandler(request -> request.reject()));
    assertThat(rig.await(rig.client().connect(port, rig.address())).isOpen())
        .as("the listener is unharmed")
        .isTrue();
    rig.await(server.close());
    illegal(() -> server.listen(0, rig.address()));
  }

  @Test
  void a_closed_client_does_not_connect() {
    var client = rig.client();
    rig.await(client.close());

    illegal(() -> client.connect(4711, rig.address()));
  }

  @Test
  void a_closed_connection_takes_no_operation() {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer buffer = rig.await(pair.client().memory().allocate(64));
    rig.await(pair.client().close());

    illegal(() -> pair.client().writeImmediate(1));
    illegal(() -> pair.client().write(buffer.all(), buffer.remote()));
    illegal(() -> pair.client().writeWithImmediate(buffer, buffer.remote(), 1));
    rig.await(pair.client().close());
  }

  @Test
  void immediates_have_one_reader_at_a_time() {
    ContractRig.Pair pair = rig.pair();
    var arrived = rig.immediates(pair.server(), 1);

    illegal(() -> pair.server().immediateHandler((connection, immediate, length) -> {}));
    assertThat(rig.awaitFailure(rig.immediates(pair.server(), 1)))
        .isInstanceOf(IllegalStateException.class);

    rig.await(pair.client().writeImmediate(5));
    assertThat(rig.await(arrived)).containsExactly(5L);
  }

  @Test
  void an_id_without_a_queue_pair_neither_connects_nor_accepts_and_a_closed_one_does_nothing() {
    try (CmEventChannel channel = rig.provider().createEventChannel()) {
      CmId id = channel.createId(PortSpace.TCP);
      try (id) {
        illegal(() -> id.connect(ConnParam.ZERO));
        illegal(() -> id.accept(ConnParam.ZERO));
        illegal(channel::close);
      }
      assertThat(id.isClosed()).isTrue();
      Consumer<Consumer<CmId>> illegalOnClosed = call -> illegal(() -> call.accept(id));
      illegalOnClosed.accept(CmId::disconnect);
      illegalOnClosed.accept(closed -> closed.listen(1));
      illegalOnClosed.accept(closed -> closed.resolveRoute(1000));
      illegalOnClosed.accept(closed -> closed.connect(ConnParam.ZERO));
      illegalOnClosed.accept(closed -> closed.reject(null));
      id.close();
    }
  }
}
