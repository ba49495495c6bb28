package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivedMessage;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.SharedReceiveOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends, and the messages they become: in the memory of receives, own or shared ones. */
class MessagesContractTest {

  private static final int SIZE = 1_024;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;
  private RegisteredBuffer out;

  private void connect(boolean shared, int depth) {
    RdmaServerOptions options =
        new RdmaServerOptions().setReceiveBufferSize(SIZE).setReceiveDepth(depth);
    if (shared) {
      options.setSharedReceives(new SharedReceiveOptions().setDepth(depth).setMaxDepth(depth));
    }
    ContractRig.Pair pair = rig.pair(options, new RdmaClientOptions());
    server = pair.server();
    client = pair.client();
    out = rig.await(client.memory().allocate(64 * SIZE));
  }

  private Future<Void> send(int number, int length) {
    int at = number % 64 * SIZE;
    out.setBytes(at, bytes(number, length));
    return client.send(out.slice(at, length));
  }

  private static byte[] bytes(int number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (number + 7 * i);
    }
    return bytes;
  }

  @ParameterizedTest(name = "shared receives: {0}")
  @ValueSource(booleans = {false, true})
  void messages_of_all_lengths_arrive_in_order_bit_exact(boolean shared) {
    connect(shared, 16);
    List<Buffer> taken = new CopyOnWriteArrayList<>();
    server.messages().map(ReceivedMessage::take).subscribe(taken::add);
    int[] lengths = {0, 1, 7, 1_023, SIZE};
    for (int i = 0; i < 400; i++) {
      rig.await(send(i, lengths[i % lengths.length]));
    }
    Traffic.eventually("all", () -> taken.size() == 400);
    for (int i = 0; i < 400; i++) {
      assertThat(taken.get(i)).isEqualTo(Buffer.buffer(bytes(i, lengths[i % lengths.length])));
    }
    // The last few are not yet worth a call.
    Traffic.eventually(
        "every receive is posted again", () -> server.counters().receivesPosted() > 16 - 4);
    assertThat(server.counters().messagesReceived()).isEqualTo(400);
  }

  @ParameterizedTest(name = "shared receives: {0}")
  @ValueSource(booleans = {false, true})
  void messages_that_are_kept_make_the_sender_wait_and_releasing_them_lets_it_go_on(
      boolean shared) {
    connect(shared, 8);
    TestSubscriber<ReceivedMessage> subscriber = new TestSubscriber<>();
    server.messages().subscribe(subscriber);
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add(send(i, 100));
    }
    Traffic.eventuallyForGood(
        "eight are kept, no receive is left",
        () -> subscriber.values().size() == 8 && server.counters().receivesPosted() == 0);
    assertThat(sent.get(19).isComplete()).isFalse();
    ReceivedMessage third = subscriber.values().get(2);
    assertThat(third.length()).isEqualTo(100);
    byte[] view = new byte[100];
    third.byteBuffer().get(view);
    assertThat(view).isEqualTo(bytes(2, 100));

    third.release();
    third.release();
    assertThatThrownBy(third::byteBuffer).isInstanceOf(IllegalStateException.class);
    Traffic.eventuallyForGood("one more", () -> subscriber.values().size() == 9);

    for (int i = 0; i < 20; i++) {
      int number = i;
      Traffic.eventually("the next", () -> subscriber.values().size() > number);
      subscriber.values().get(i).release();
    }
    rig.await(Future.all(sent));
    // One is not yet worth a call.
    Traffic.eventually("all are back", () -> server.counters().receivesPosted() >= 7);
    assertThat(server.counters().receivesExhausted()).isPositive();
  }

  @Test
  void an_immediate_comes_with_its_message_and_writes_with_immediate_do_not_mix_with_them() {
    connect(false, 16);
    TestSubscriber<Immediate> immediates = Traffic.subscribe(server, Long.MAX_VALUE);
    List<ReceivedMessage> messages = new CopyOnWriteArrayList<>();
    server.messages().subscribe(messages::add);
    out.setBytes(0, bytes(3, 50));
    rig.await(client.sendWithImmediate(out.slice(0, 50), 0xDEAD_BEEFL));
    rig.await(client.writeImmediate(77));
    rig.await(client.send(out.slice(0, 10)));
    Traffic.eventually("both", () -> messages.size() == 2 && immediates.values().size() == 1);
    assertThat(messages.get(0).hasImmediate()).isTrue();
    assertThat(messages.get(0).immediate()).isEqualTo(0xDEAD_BEEFL);
    assertThat(messages.get(0).take()).isEqualTo(Buffer.buffer(bytes(3, 50)));
    assertThat(messages.get(1).hasImmediate()).isFalse();
    assertThatThrownBy(messages.get(1)::immediate).isInstanceOf(IllegalStateException.class);
    assertThat(Traffic.values(immediates)).containsExactly(77L);
  }

  @ParameterizedTest(name = "shared receives: {0}")
  @ValueSource(booleans = {false, true})
  void what_came_before_the_peer_closed_can_still_be_taken(boolean shared) {
    connect(shared, 16);
    rig.await(send(0, 30));
    rig.await(send(1, SIZE));
    rig.await(client.close());
    rig.await(server.closed());
    List<Buffer> taken = new CopyOnWriteArrayList<>();
    TestSubscriber<Buffer> subscriber = new TestSubscriber<>();
    server.messages().map(ReceivedMessage::take).doOnNext(taken::add).subscribe(subscriber);
    Traffic.eventuallyCompleted(subscriber);
    assertThat(taken).containsExactly(Buffer.buffer(bytes(0, 30)), Buffer.buffer(bytes(1, SIZE)));
  }

  @Test
  void a_message_too_long_for_a_receive_breaks_the_connection_on_both_sides_with_the_reason() {
    connect(false, 16);
    Throwable failure = rig.awaitFailure(client.send(out.slice(0, SIZE + 1)));
    assertThat(failure).isInstanceOf(WorkCompletionException.class);
    assertThat(((WorkCompletionException) failure).status())
        .isIn(WorkCompletionStatus.REM_INV_REQ_ERR, WorkCompletionStatus.REM_OP_ERR);
    TestSubscriber<ReceivedMessage> subscriber = new TestSubscriber<>();
    server.messages().subscribe(subscriber);
    Traffic.eventuallyEnded(subscriber);
    subscriber.assertError(RdmaException.class).assertNoValues();
    rig.await(server.closed());
    rig.await(client.closed());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 4_097})
  void the_memory_of_receives_need_not_fill_pages(int size) {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setReceiveBufferSize(size).setReceiveDepth(5),
            new RdmaClientOptions());
    out = rig.await(pair.client().memory().allocate(size));
    List<Buffer> taken = new CopyOnWriteArrayList<>();
    pair.server().messages().map(ReceivedMessage::take).subscribe(taken::add);
    for (int i = 0; i < 10; i++) {
      out.setBytes(0, bytes(i, size));
      rig.await(pair.client().send(out.all()));
    }
    Traffic.eventually("all", () -> taken.size() == 10);
    for (int i = 0; i < 10; i++) {
      assertThat(taken.get(i)).isEqualTo(Buffer.buffer(bytes(i, size)));
    }
  }

  @Test
  void messages_without_memory_for_them_are_refused_by_name() {
    ContractRig.Pair pair = rig.pair();
    assertThatThrownBy(() -> pair.server().messages())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("receiveBufferSize");
  }
}
