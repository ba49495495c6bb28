package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivedMessage;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.soft.io.FaultInjection;
import io.vertxrdma.soft.io.Faults;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.io.Timers;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All verbs mixed, for a while, over links that lose, double, reorder and damage packets: what was
 * sent is what came, and memory does not grow.
 *
 * <p>A build runs it for seconds; {@code -Dvertx.rdma.test.soakSeconds=1800} is for runs by hand.
 */
@Timeout(value = 3_600, unit = TimeUnit.SECONDS)
class SoakTest {

  private static final int SECONDS = Integer.getInteger("vertx.rdma.test.soakSeconds", 10);
  private static final long SEED = Long.getLong("vertx.rdma.test.seed", System.nanoTime());
  private static final int CONNECTIONS = 4;
  private static final int UNDER_WAY = 12;
  private static final int AREA = 16_384;
  private static final int MESSAGE = 2_048;
  private static final int PATIENCE = 60;

  /** Netty's pool grows by chunks and keeps them. */
  private static final long CHUNKS = 8L << 20;

  private final Vertx vertx = Vertx.vertx();
  private final List<FaultInjection> links = new CopyOnWriteArrayList<>();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private final AtomicLong operations = new AtomicLong();
  private volatile boolean stop;

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private Link decorate(Link link, Timers timers) {
    FaultInjection made =
        new FaultInjection(
            link, timers, SEED + links.size(), new Faults(0.01, 0.01, 0.01, 0.005, 0, 0));
    links.add(made);
    return made;
  }

  private SoftProvider provider() {
    return new SoftProvider(new SoftProviderOptions().setLinkDecorator(this::decorate));
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS);
  }

  /** What one connection has sent, and what its other end has seen. */
  private final class Pair {
    private final RdmaConnection client;
    private final RdmaConnection server;
    private final RegisteredBuffer there;
    private final RegisteredBuffer here;
    private final SplittableRandom random;
    private long immediates;
    private long added;
    private long messageBytes;
    private int underWay;
    private final AtomicLong immediatesSeen = new AtomicLong();
    private final AtomicLong messageBytesSeen = new AtomicLong();
    private final Promise<Void> done = Promise.promise();

    Pair(RdmaConnection client, RdmaConnection server, SplittableRandom random) throws Exception {
      this.client = client;
      this.server = server;
      this.random = random;
      this.there =
          await(
              server
                  .memory()
                  .allocate(
                      8 + UNDER_WAY * AREA,
                      Set.of(
                          AccessFlag.LOCAL_WRITE,
                          AccessFlag.REMOTE_READ,
                          AccessFlag.REMOTE_WRITE,
                          AccessFlag.REMOTE_ATOMIC)));
      this.here = await(client.memory().allocate(2 * UNDER_WAY * AREA));
      server.immediates().subscribe(this::immediate, SoakTest.this::failed);
      server.messages().subscribe(this::message, SoakTest.this::failed);
    }

    private void immediate(io.vertxrdma.reactive.Immediate immediate) {
      // In order, and none twice: each is one more than the one before.
      if (immediate.value() != (immediatesSeen.getAndIncrement() & 0xFFFF_FFFFL)) {
        failed(new AssertionError(immediate + " after " + immediatesSeen));
      }
    }

    private void message(ReceivedMessage message) {
      byte[] bytes = message.take().getBytes();
      for (byte each : bytes) {
        if (each != (byte) bytes.length) {
          failed(new AssertionError("byte " + each + " in a message of " + bytes.length));
        }
      }
      messageBytesSeen.addAndGet(bytes.length);
    }

    /** On the client's loop, as all that follows. */
    void start() {
      for (int i = 0; i < UNDER_WAY; i++) {
        underWay++;
        next(i);
      }
    }

    private void next(int place) {
      if (stop || wrong.get() != null) {
        if (--underWay == 0) {
          done.complete();
        }
        return;
      }
      one(place)
          .onSuccess(
              ended -> {
                operations.incrementAndGet();
                next(place);
              })
          .onFailure(
              failure -> {
                failed(failure);
                next(place);
              });
    }

    private Future<?> one(int place) {
      int at = place * AREA;
      switch (random.nextInt(5)) {
        case 0:
          return client.writeImmediate(immediates++ & 0xFFFF_FFFFL);
        case 1:
          int add = random.nextInt(1_000_000);
          added += add;
          return client.fetchAndAdd(there.remote().slice(0, 8), add);
        case 2:
          int length = random.nextInt(MESSAGE + 1);
          messageBytes += length;
          fill(at, length, (byte) length);
          return client.send(here.slice(at, length));
        default:
          return writeAndReadBack(place, at);
      }
    }

    private void fill(int at, int length, byte value) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, value);
      here.setBytes(at, bytes);
    }

    private Future<Void> writeAndReadBack(int place, int at) {
      int length = 1 + random.nextInt(AREA);
      byte value = (byte) random.nextInt();
      int back = (UNDER_WAY + place) * AREA;
      fill(at, length, value);
      return client
          .write(here.slice(at, length), there.remote().slice(8 + at, length))
          .compose(
              written ->
                  client.read(there.remote().slice(8 + at, length), here.slice(back, length)))
          .map(
              read -> {
                for (byte each : here.getBytes(back, length)) {
                  if (each != value) {
                    throw new AssertionError("read " + each + " where " + value + " was written");
                  }
                }
                return null;
              });
    }

    private boolean balanced() {
      return immediatesSeen.get() == immediates && messageBytesSeen.get() == messageBytes;
    }
  }

  private void failed(Throwable failure) {
    wrong.compareAndSet(null, failure);
  }

  private static long directMemory() {
    System.gc();
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void what_was_sent_is_what_came_and_memory_stays_flat() throws Exception {
    System.out.println("vertx.rdma.test.seed=" + SEED);
    ConnectionParameters reads = ConnectionParameters.READ_HEAVY;
    RdmaServer server =
        RdmaServer.create(
            vertx,
            new RdmaServerOptions().setParameters(reads).setReceiveBufferSize(MESSAGE),
            provider());
    CopyOnWriteArrayList<RdmaConnection> accepted = new CopyOnWriteArrayList<>();
    server.connectRequestHandler(request -> request.accept().onSuccess(accepted::add));
    int port = await(server.listen(0, "127.0.0.1")).actualPort();
    RdmaClient client =
        RdmaClient.create(vertx, new RdmaClientOptions().setParameters(reads), provider());
    List<Pair> pairs = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < CONNECTIONS; i++) {
      int before = i;
      RdmaConnection mine = await(client.connect(port, "127.0.0.1"));
      Awaitility.await("it is accepted")
          .atMost(PATIENCE, TimeUnit.SECONDS)
          .until(() -> accepted.size() > before);
      pairs.add(new Pair(mine, accepted.get(i), random.split()));
    }
    pairs.forEach(
        pair -> pair.client.writeImmediate(pair.immediates++).onComplete(d -> pair.start()));
    // Caches have filled when some of it has run.
    Awaitility.await("a beginning")
        .atMost(PATIENCE, TimeUnit.SECONDS)
        .until(() -> operations.get() > 2_000 || wrong.get() != null);
    long before = directMemory();

    vertx.setTimer(TimeUnit.SECONDS.toMillis(SECONDS), fired -> stop = true);
    for (Pair pair : pairs) {
      pair.done
          .future()
          .toCompletionStage()
          .toCompletableFuture()
          .get(SECONDS + PATIENCE, TimeUnit.SECONDS);
    }

    assertThat(wrong.get()).isNull();
    Awaitility.await("all has come")
        .atMost(PATIENCE, TimeUnit.SECONDS)
        .until(() -> pairs.stream().allMatch(Pair::balanced));
    for (Pair pair : pairs) {
      assertThat(pair.there.byteBuffer().order(ByteOrder.nativeOrder()).getLong(0))
          .isEqualTo(pair.added);
      assertThat(pair.server.isOpen()).isTrue();
    }
    long after = directMemory();
    System.out.printf(
        "%d operations in %d s, direct memory %d before, %d after; %s%n",
        operations.get(),
        SECONDS,
        before,
        after,
        links.stream().map(FaultInjection::injected).toList());
    assertThat(after).isLessThan(before + CHUNKS);
    assertThat(links)
        .hasSize(2)
        .allSatisfy(link -> assertThat(link.injected().dropped()).isPositive());
  }
}
