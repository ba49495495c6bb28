package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Case L10: closing inside a callback. The rule: what was not handed over when the local side
 * closes is dropped, and "closed" is the last signal.
 */
class L10_CloseInsideCallbackContractTest {

  private static final int BATCH = 10;

  @RegisterExtension final ContractRig rig = new ContractRig();

  private final List<String> signals = new CopyOnWriteArrayList<>();

  @Test
  void when_connected() {
    RdmaServer server = rig.server();
    Promise<Void> serverClosed = Promise.promise();
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onSuccess(
                    connection -> {
                      connection.closeHandler(serverClosed::complete);
                      connection.close();
                    })
                .onFailure(serverClosed::fail));
    int port = rig.listen(server);
    Promise<Void> clientClosed = Promise.promise();

    rig.client()
        .connect(port, rig.address())
        .onSuccess(
            connection -> {
              connection.closeHandler(clientClosed::complete);
              connection.close();
            })
        .onFailure(clientClosed::fail);

    rig.await(serverClosed.future());
    rig.await(clientClosed.future());
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }

  @Test
  void at_the_first_immediate_of_a_batch_in_a_handler() {
    ContractRig.Pair pair = rig.pair();
    pair.server().closeHandler(nothing -> signals.add("closed"));
    List<Future<Void>> writes = waitingBatch(pair);

    pair.server()
        .immediateHandler(
            (connection, immediate, length) -> {
              signals.add("immediate " + immediate);
              connection.close();
            });

    onlyTheFirstIsSeen(pair, writes);
  }

  @Test
  void at_the_first_immediate_of_a_batch_in_a_subscriber() {
    ContractRig.Pair pair = rig.pair();
    pair.server().closeHandler(nothing -> signals.add("closed"));
    List<Future<Void>> writes = waitingBatch(pair);

    pair.server()
        .immediates()
        .subscribe(
            next -> {
              signals.add("immediate " + next.value());
              next.connection().close();
            },
            failed -> signals.add("error " + failed));

    onlyTheFirstIsSeen(pair, writes);
  }

  /** Ten immediates that wait at the server for somebody to read them. */
  private List<Future<Void>> waitingBatch(ContractRig.Pair pair) {
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      writes.add(pair.client().writeImmediate(i));
    }
    rig.await(Future.all(writes));
    rig.until("the batch waits", () -> pair.server().counters().immediatesWaiting() == BATCH);
    return writes;
  }

  private void onlyTheFirstIsSeen(ContractRig.Pair pair, List<Future<Void>> writes) {
    rig.await(pair.server().closed());
    rig.await(pair.client().closed());
    rig.until("closed was signalled", () -> signals.contains("closed"));
    assertThat(signals).containsExactly("immediate 0", "closed");
    assertThat(writes).allMatch(Future::succeeded);
  }

  @Test
  void at_the_failure_of_the_connection() {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(64));
    RegisteredBuffer source = rig.await(pair.client().memory().allocate(64));
    RemoteMemory right = inbox.remote();
    RemoteMemory wrong = new RemoteMemory(right.address(), right.key() + 1, right.length());
    RdmaConnection client = pair.client();
    client.exceptionHandler(
        failed -> {
          signals.add("exception");
          client.close();
        });
    client.closeHandler(nothing -> signals.add("closed"));

    Throwable failure = rig.awaitFailure(client.writeWithImmediate(source, wrong, 1));

    assertThat(failure).isInstanceOf(WorkCompletionException.class);
    assertThat(((WorkCompletionException) failure).status())
        .isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
    rig.await(client.closed());
    rig.await(pair.server().closed());
    rig.until("closed was signalled", () -> signals.contains("closed"));
    assertThat(signals).containsExactly("exception", "closed");
  }
}
