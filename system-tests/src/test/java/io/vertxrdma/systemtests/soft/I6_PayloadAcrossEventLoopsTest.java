package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The handler of an immediate sees the payload when writer, device and reader have three event
 * loops: the writer fills memory with plain writes, the device copies on a loop of its own, the
 * handler reads with plain reads. Nothing else passes between the two, not even the permission to
 * fill a slot again: the reader gives it with immediates of its own.
 */
@Timeout(300)
class I6_PayloadAcrossEventLoopsTest {

  private static final int ROUNDS = 50_000;
  private static final int SLOTS = 64;
  private static final int SLOT = 128;
  private static final int CREDITS = 16;
  private static final int SECONDS = 240;

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(4));
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Set<Thread> deviceThreads = ConcurrentHashMap.newKeySet();
  private final SoftProviderOptions options =
      new SoftProviderOptions()
          .setUdpPort(freeUdpPort())
          .setOwnEventLoop(true)
          .setLinkDecorator((link, timers) -> new WatchedLink(link, deviceThreads));

  private static int freeUdpPort() {
    try (DatagramSocket any = new DatagramSocket(null)) {
      any.bind(new InetSocketAddress(0));
      return any.getLocalPort();
    } catch (SocketException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void everything_is_closed() throws Exception {
    await(vertx.close());
  }

  @Test
  void both_ends_on_one_device() throws Exception {
    SoftProvider provider = new SoftProvider(options);

    everyPayloadIsSeen(provider, provider);

    assertThat(deviceThreads).as("event loops of the one device").hasSize(1);
  }

  @Test
  void two_devices_and_a_socket_between_them() throws Exception {
    everyPayloadIsSeen(new SoftProvider(options), new SoftProvider(options));

    assertThat(deviceThreads).as("event loops of the two devices").hasSize(2);
  }

  private void everyPayloadIsSeen(SoftProvider reading, SoftProvider writing) throws Exception {
    Promise<RdmaConnection> accepted = Promise.promise();
    RdmaServer server =
        onNewLoop(
            () -> {
              RdmaServer made = RdmaServer.create(vertx, new RdmaServerOptions(), reading);
              made.connectRequestHandler(request -> request.accept().onComplete(accepted));
              return made;
            });
    int port = await(server.listen(0, "127.0.0.1")).actualPort();
    RdmaClient client = onNewLoop(() -> RdmaClient.create(vertx, new RdmaClientOptions(), writing));
    RdmaConnection writer = await(client.connect(port, "127.0.0.1"));
    RdmaConnection reader = await(accepted.future());
    RegisteredBuffer inbox = await(reader.memory().allocateInbox(SLOTS * SLOT));
    RegisteredBuffer source = await(writer.memory().allocate(SLOTS * SLOT));
    Promise<Void> finished = Promise.promise();
    Reader handler = new Reader(inbox.byteBuffer(), finished);

    reader.immediateHandler(handler::immediate);
    new Writer(writer, source, inbox, finished).start();
    // No slot was read yet: the writer begins, on its event loop.
    await(reader.writeImmediate(0));

    await(finished.future());
    // Acknowledged by the device is not yet seen by the reader.
    Awaitility.await("the reader has seen all")
        .atMost(SECONDS, TimeUnit.SECONDS)
        .until(
            () ->
                reader.counters().immediatesReceived() == ROUNDS
                    && reader.counters().immediatesWaiting() == 0);
    assertThat(handler.wrong).isNull();
    assertThat(threads).as("event loops of writer and reader").hasSize(2);
    assertThat(deviceThreads).doesNotContainAnyElementsOf(threads);
    await(writer.close());
    await(reader.close());
  }

  /** Every long of a slot, in every round another one, and never 0 like fresh memory. */
  private static long pattern(int round, int at) {
    return (round + 1) * 0x9E3779B97F4A7C15L + at;
  }

  /** On its own event loop: checks each payload, and after some tells that their slots are free. */
  private final class Reader {
    private final ByteBuffer memory;
    private final Promise<Void> finished;
    private volatile String wrong;
    private int round;

    Reader(ByteBuffer memory, Promise<Void> finished) {
      this.memory = memory;
      this.finished = finished;
    }

    private void fail(String what) {
      // The writer may have finished before.
      wrong = what;
      finished.tryFail(what);
    }

    void immediate(RdmaConnection connection, int immediate, int length) {
      if (round == 0) {
        threads.add(Thread.currentThread());
      }
      if (immediate != round || length != SLOT) {
        fail("round " + round + ": immediate " + immediate + ", " + length + " bytes");
      }
      int slot = round % SLOTS * SLOT;
      // The last byte first: it is written last.
      for (int at = SLOT - Long.BYTES; at >= 0; at -= Long.BYTES) {
        long found = memory.getLong(slot + at);
        if (found != pattern(round, at)) {
          fail(
              "round %d, byte %d: %x instead of %x"
                  .formatted(round, at, found, pattern(round, at)));
        }
      }
      round++;
      if (round % CREDITS == 0) {
        connection.writeImmediate(round).onFailure(finished::tryFail);
      }
    }
  }

  /** On its own event loop: fills and writes as many slots as are free. */
  private final class Writer {
    private final RdmaConnection connection;
    private final RegisteredBuffer source;
    private final RegisteredBuffer inbox;
    private final ByteBuffer memory;
    private final Promise<Void> finished;
    private int round;
    private int read;
    private int acknowledged;

    Writer(
        RdmaConnection connection,
        RegisteredBuffer source,
        RegisteredBuffer inbox,
        Promise<Void> finished) {
      this.connection = connection;
      this.source = source;
      this.inbox = inbox;
      this.memory = source.byteBuffer();
      this.finished = finished;
    }

    void start() {
      connection.immediateHandler(
          (from, freed, length) -> {
            threads.add(Thread.currentThread());
            read = freed;
            write();
          });
    }

    private void write() {
      while (round < ROUNDS && round - Math.min(read, acknowledged) < SLOTS) {
        int slot = round % SLOTS * SLOT;
        for (int at = 0; at < SLOT; at += Long.BYTES) {
          memory.putLong(slot + at, pattern(round, at));
        }
        connection
            .writeWithImmediate(source.slice(slot, SLOT), inbox.remote().slice(slot, SLOT), round)
            .onComplete(
                done -> {
                  if (done.failed()) {
                    finished.tryFail(done.cause());
                    return;
                  }
                  acknowledged++;
                  if (acknowledged == ROUNDS) {
                    finished.tryComplete();
                  } else {
                    write();
                  }
                });
        round++;
      }
    }
  }

  private <T> T onNewLoop(Callable<T> work) throws Exception {
    Context context = ((VertxInternal) vertx).createEventLoopContext();
    Promise<T> made = Promise.promise();
    context.runOnContext(
        nothing -> {
          try {
            made.complete(work.call());
          } catch (Exception failure) {
            made.fail(failure);
          }
        });
    return await(made.future());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
  }
}
