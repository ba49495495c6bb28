package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L15: connects that take too long, are given up, or have nowhere to go. */
class L15_SlowConnectContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_host_that_does_not_answer_is_a_timeout_and_leaves_no_id() {
    String silent = rig.silentAddress();
    RdmaClient client = rig.client(new RdmaClientOptions().setConnectTimeout(500));

    Throwable failure = rig.awaitFailure(client.connect(4711, silent));

    assertThat(failure)
        .isInstanceOf(ConnectTimeoutException.class)
        .hasMessageContaining("500 ms")
        .hasMessageContaining(silent);
    assertThat(rig.liveIds()).isZero();
  }

  @Test
  void a_server_that_does_not_answer_is_a_timeout_and_its_late_answer_is_discarded() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client(new RdmaClientOptions().setConnectTimeout(3_000));

    var connecting = client.connect(port, rig.address());
    ConnectRequest request = requests.next();

    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectTimeoutException.class);
    assertThat(rig.awaitFailure(request.accept())).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void a_disposed_attempt_is_aborted_and_the_server_hears_of_it() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();
    TestObserver<RdmaConnection> observer = client.rxConnect(port, rig.address()).test();
    ConnectRequest request = requests.next();

    observer.dispose();

    rig.until("only the listener's and the request's ids are left", () -> rig.liveIds() == 2);
    assertThat(rig.awaitFailure(request.accept())).isInstanceOf(ConnectionClosedException.class);
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    observer.assertNoValues().assertNoErrors().assertNotComplete();
    var connecting = client.connect(port, rig.address());
    rig.await(requests.next().accept());
    assertThat(rig.await(connecting).isOpen()).as("the client still connects").isTrue();
  }

  @Test
  void attempts_disposed_at_once_leave_nothing() {
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> request.accept());
    int port = rig.listen(server);
    RdmaClient client = rig.client();

    for (int i = 0; i < 10; i++) {
      Disposable attempt = client.rxConnect(port, rig.address()).subscribe();
      attempt.dispose();
    }

    // Attempts that went on would connect meanwhile.
    rig.pause(500);
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }

  @Test
  void an_unsubscribed_attempt_does_nothing_and_each_subscription_is_an_attempt() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var single = rig.client().rxConnect(port, rig.address());
    rig.pause(200);
    assertThat(requests.count()).isZero();

    single.subscribe();
    single.subscribe();

    rig.await(requests.next().accept());
    rig.await(requests.next().accept());
  }

  @Test
  void a_host_nobody_knows_is_an_address_failure() {
    // Long, since the first lookup loads the resolver's many classes.
    RdmaClient client = rig.client(new RdmaClientOptions().setConnectTimeout(60_000));

    Throwable failure = rig.awaitFailure(client.connect(4711, "no-such-host.invalid"), 60);

    assertThat(failure)
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("no-such-host.invalid");
  }
}
