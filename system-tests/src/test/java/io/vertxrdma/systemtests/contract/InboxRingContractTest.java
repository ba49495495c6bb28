package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import io.vertxrdma.reactive.RingMessage;
import io.vertxrdma.reactive.RingProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;

/** Rings of message slots, over a live connection. */
class InboxRingContractTest {

  private static final int MESSAGES = 10_000;
  private static final int LONG_SECONDS = 240;

  /** Any bytes: those of a message are some of these. */
  private static final byte[] BYTES = new byte[1 << 16];

  static {
    new Random(1).nextBytes(BYTES);
  }

  @RegisterExtension final ContractRig rig = new ContractRig();

  /** Message number n of a stream: its length and its bytes follow from the two numbers. */
  private static ByteBuffer message(int stream, int number, int most) {
    int length = (number * 7919 + stream) % (most + 1);
    int offset = (number * 31 + stream * 1009) % (BYTES.length - most);
    return ByteBuffer.wrap(BYTES, offset, length);
  }

  /**
   * Reads one message after the other, holds some of them for a while, and rests again and again.
   */
  private final class SlowReader implements FlowableSubscriber<RingMessage> {

    private static final int HELD = 3;
    private static final int REST_EVERY = 100;

    final Promise<Void> done = Promise.promise();
    final AtomicInteger released = new AtomicInteger();
    private final int stream;
    private final int most;
    private final ArrayDeque<RingMessage> held = new ArrayDeque<>();
    private Subscription subscription;
    private int next;

    SlowReader(int stream, int most) {
      this.stream = stream;
      this.most = most;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(RingMessage message) {
      if (!message.byteBuffer().equals(message(stream, next, most))) {
        subscription.cancel();
        done.fail("message " + next + " has other bytes: " + message);
        return;
      }
      next++;
      held.add(message);
      if (held.size() > HELD || next == MESSAGES) {
        while (!held.isEmpty()) {
          released.incrementAndGet();
          held.poll().release();
        }
      }
      if (next == MESSAGES) {
        done.complete();
      } else if (next % REST_EVERY == 0) {
        rig.vertx().setTimer(1, rested -> subscription.request(1));
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onError(Throwable failure) {
      done.tryFail(failure);
    }

    @Override
    public void onComplete() {
      done.tryFail("ended after " + next + " messages");
    }
  }

  /** Writes as fast as the channel's write queue lets it; tells how many were ever in flight. */
  private static final class Writer {

    final Promise<Void> done = Promise.promise();
    final AtomicInteger mostInFlight = new AtomicInteger();
    private final RingChannel channel;
    private final SlowReader reader;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private int next;

    Writer(RingChannel channel, SlowReader reader) {
      this.channel = channel;
      this.reader = reader;
      channel.drainHandler(drained -> write());
    }

    synchronized void write() {
      while (next < MESSAGES && !channel.writeQueueFull()) {
        ByteBuffer from = message(reader.stream, next++, reader.most);
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        channel.write(Buffer.buffer(bytes)).onSuccess(this::acknowledged).onFailure(done::tryFail);
      }
    }

    private void acknowledged(Void nothing) {
      int placed = acknowledged.incrementAndGet();
      mostInFlight.accumulateAndGet(placed - reader.released.get(), Math::max);
      if (placed == MESSAGES) {
        done.complete();
      }
    }
  }

  @Test
  void ten_thousand_messages_each_way_past_slow_readers_arrive_in_order_and_bit_exact() {
    ContractRig.Pair pair = rig.pair();
    InboxRing atServer = rig.await(InboxRing.allocate(pair.server().memory(), 16, 200));
    InboxRing atClient = rig.await(InboxRing.allocate(pair.client().memory(), 7, 1100));
    RingChannel server = RingChannel.over(pair.server(), atServer, atClient.descriptor());
    RingChannel client = RingChannel.over(pair.client(), atClient, atServer.descriptor());
    SlowReader toServer = new SlowReader(1, 200);
    SlowReader toClient = new SlowReader(2, 1100);
    Writer fromClient = new Writer(client, toServer);
    Writer fromServer = new Writer(server, toClient);
    server.messages().subscribe(toServer);
    client.messages().subscribe(toClient);

    rig.vertx().runOnContext(nothing -> fromClient.write());
    rig.vertx().runOnContext(nothing -> fromServer.write());

    rig.await(toServer.done.future(), LONG_SECONDS);
    rig.await(toClient.done.future(), LONG_SECONDS);
    rig.await(fromClient.done.future());
    rig.await(fromServer.done.future());
    assertThat(fromClient.mostInFlight).hasValueBetween(1, 16);
    assertThat(fromServer.mostInFlight).hasValueBetween(1, 7);
    assertThat(pair.server().isOpen()).isTrue();
    assertThat(pair.client().isOpen()).isTrue();
  }

  @Test
  void descriptors_travel_in_private_data_beside_a_handshake() {
    Handshake hello = Handshake.builder(0x52494E47).build();
    RdmaServer server = rig.server(new RdmaServerOptions());
    Promise<RingChannel> accepted = Promise.promise();
    server.connectRequestHandler(
        request -> {
          RingDescriptor there =
              RingDescriptor.decode(hello.decode(request.privateData()).application());
          InboxRing.allocate(request.memory(), 4, 64)
              .compose(
                  ring ->
                      request
                          .accept(hello.encodeReply(ring.descriptor().encode()))
                          .map(connection -> RingChannel.over(connection, ring, there)))
              .onComplete(accepted);
        });
    int port = rig.listen(server);
    Promise<InboxRing> inbox = Promise.promise();
    RdmaConnection connection =
        rig.await(
            rig.client(new RdmaClientOptions())
                .connect(
                    port,
                    rig.address(),
                    memory ->
                        InboxRing.allocate(memory, 8, 32)
                            .onComplete(inbox)
                            .map(ring -> hello.encode(ring.descriptor().encode()))));
    Buffer reply = rig.await(hello.verifyReply(connection)).application();
    RingChannel client =
        RingChannel.over(connection, inbox.future().result(), RingDescriptor.decode(reply));
    RingChannel atServer = rig.await(accepted.future());
    TestSubscriber<Buffer> toServer = atServer.buffers().test();
    TestSubscriber<Buffer> toClient = client.buffers().test();

    client.write(Buffer.buffer("to the server"));
    atServer.write(Buffer.buffer("to the client"));

    Traffic.eventually("one each way", () -> toServer.values().size() == 1);
    Traffic.eventually("one each way", () -> toClient.values().size() == 1);
    assertThat(toServer.values().get(0)).hasToString("to the server");
    assertThat(toClient.values().get(0)).hasToString("to the client");
  }

  @Test
  void a_peer_that_writes_out_of_turn_ends_the_channel_with_the_reason() {
    ContractRig.Pair pair = rig.pair();
    InboxRing ring = rig.await(InboxRing.allocate(pair.server().memory(), 4, 64));
    RingChannel channel = RingChannel.over(pair.server(), ring, null);
    TestSubscriber<Buffer> messages = channel.buffers().test();
    RegisteredBuffer source = rig.await(pair.client().memory().copyOf(Buffer.buffer("hello")));
    RingFormat format = RingFormat.DEFAULT;

    rig.await(
        pair.client().writeWithImmediate(source, ring.descriptor().slot(0), format.message(0)));
    pair.client().writeWithImmediate(source, ring.descriptor().slot(2), format.message(2));

    Traffic.eventuallyEnded(messages);
    assertThat(messages.values()).containsExactly(Buffer.buffer("hello"));
    messages.assertError(
        failure ->
            failure instanceof RingProtocolException
                && failure
                    .getMessage()
                    .equals("the peer wrote to slot 2, the next in order of 4 was 1"));
    rig.await(pair.client().closed());
    rig.await(pair.server().closed());
  }

  @Test
  void a_reader_that_reads_nothing_stops_the_writer_at_the_size_of_its_ring() {
    ContractRig.Pair pair = rig.pair();
    InboxRing ring = rig.await(InboxRing.allocate(pair.server().memory(), 8, 64));
    RingChannel reader = RingChannel.over(pair.server(), ring, null);
    RingChannel writer = RingChannel.over(pair.client(), null, ring.descriptor());
    AtomicInteger acknowledged = new AtomicInteger();

    Future<?>[] writes = new Future<?>[20];
    for (int i = 0; i < writes.length; i++) {
      writes[i] =
          writer
              .write(Buffer.buffer("number " + i))
              .onSuccess(done -> acknowledged.incrementAndGet());
    }

    Traffic.eventuallyForGood("eight are placed, and no more", () -> acknowledged.get() == 8);
    assertThat(ring.slots()).isEqualTo(8);
    assertThat(writer.freeSlots()).isZero();
    TestSubscriber<Buffer> messages = reader.buffers().test();
    Traffic.eventually("all arrive", () -> messages.values().size() == 20);
    rig.await(Future.all(List.of(writes)));
    assertThat(messages.values().get(19)).hasToString("number 19");
  }
}
