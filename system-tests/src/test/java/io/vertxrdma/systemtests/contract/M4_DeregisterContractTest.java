package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory that is given back is safe: from the peer's writes, and from one's own operations. */
class M4_DeregisterContractTest {

  private static final int SIZE = 64;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_peer_that_keeps_writing_fails_and_changes_nothing_after_the_region_was_closed() {
    ContractRig.Pair pair = rig.pair();
    ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    RegisteredBuffer inbox =
        rig.await(
            pair.server()
                .memory()
                .register(memory, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)));
    RemoteMemory there = inbox.remote();
    RegisteredBuffer source = rig.await(pair.client().memory().allocate(SIZE));
    AtomicInteger written = new AtomicInteger();
    Promise<Void> ended = Promise.promise();
    writeForEver(pair.client(), source, there, written, ended);
    Traffic.eventually("some writes", () -> written.get() > 20);

    rig.await(inbox.close());
    byte[] afterClose = bytes(memory);

    Throwable failure = rig.awaitFailure(ended.future());
    assertThat(failure).isInstanceOf(WorkCompletionException.class);
    assertThat(((WorkCompletionException) failure).status())
        .isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
    rig.await(pair.client().closed());
    rig.await(pair.server().closed());
    assertThat(bytes(memory)).isEqualTo(afterClose);
  }

  private static void writeForEver(
      RdmaConnection client,
      RegisteredBuffer source,
      RemoteMemory there,
      AtomicInteger written,
      Promise<Void> ended) {
    byte[] next = new byte[SIZE];
    java.util.Arrays.fill(next, (byte) written.incrementAndGet());
    source.setBytes(0, next);
    client
        .write(source.all(), there)
        .onSuccess(done -> writeForEver(client, source, there, written, ended))
        .onFailure(ended::fail);
  }

  private static byte[] bytes(ByteBuffer memory) {
    byte[] copy = new byte[memory.capacity()];
    memory.get(0, copy);
    return copy;
  }

  @Test
  void closing_a_source_waits_for_the_operations_that_read_it() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions().setReceiveDepth(1), new RdmaClientOptions());
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(2 * SIZE));
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), 0);
    // Takes the only receive, so that what comes next can't end before the subscriber asks.
    rig.await(pair.client().writeImmediate(0));
    RegisteredBuffer source =
        rig.await(pair.client().memory().copyOf(Buffer.buffer("still needed")));
    RegisteredBuffer.Slice all = source.all();
    Future<Void> first = pair.client().writeWithImmediate(all, inbox.remote().slice(0, SIZE), 1);
    Future<Void> second =
        pair.client().writeWithImmediate(all, inbox.remote().slice(SIZE, SIZE), 2);

    Future<Void> closing = source.close();

    Traffic.eventuallyForGood("it waits", () -> !closing.isComplete() && !second.isComplete());
    assertThatThrownBy(() -> pair.client().write(all, inbox.remote()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    subscriber.request(Long.MAX_VALUE);
    rig.await(first);
    rig.await(second);
    rig.await(closing);
    assertThat(inbox.getBuffer(0, 12)).hasToString("still needed");
    assertThat(inbox.getBuffer(SIZE, 12)).hasToString("still needed");
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 3);
  }

  @Test
  void closing_the_connection_ends_its_operations_and_then_the_source_can_close() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions().setReceiveDepth(1), new RdmaClientOptions());
    rig.await(pair.client().writeImmediate(0));
    RegisteredBuffer source = rig.await(pair.client().memory().allocate(SIZE));
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(SIZE));
    Future<Void> stuck = pair.client().writeWithImmediate(source, inbox.remote(), 1);
    Future<Void> closing = source.close();
    Traffic.eventuallyForGood("both wait", () -> !closing.isComplete() && !stuck.isComplete());

    rig.await(pair.client().close());

    assertThat(rig.awaitFailure(stuck)).isInstanceOf(io.vertxrdma.core.FlushedException.class);
    rig.await(closing);
  }
}
