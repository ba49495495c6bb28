package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.Collection;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Something is closed by one thread while another one connects, accepts, disconnects or writes:
 * every future completes, no native call is illegal, no exception gets lost and nothing is left.
 *
 * <p>The system properties {@code vertx.rdma.test.races} and {@code vertx.rdma.test.seed} say how
 * many rounds each test has, and how far apart the two threads start.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class CloseRacesTest {

  private static final int ROUNDS = Integer.getInteger("vertx.rdma.test.races", 120);
  private static final int SECONDS = 20;
  private static final int DISCONNECTED = CmEventType.DISCONNECTED.code();
  private static final int WRITES = 16;
  private static final int MAX_APART_NANOS = 400_000;

  /** What happens while something is closed. */
  enum Action {
    CONNECT,
    ACCEPT,
    EVENTS,
    COMPLETIONS
  }

  /** What is closed. */
  enum Target {
    ATTEMPT,
    CLIENT_END,
    SERVER_END,
    CLIENT,
    SERVER,
    VERTX
  }

  private final long seed = Long.getLong("vertx.rdma.test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @ParameterizedTest(name = "{0} is closed during {1}")
  @CsvSource({
    "ATTEMPT, CONNECT",
    "CLIENT, CONNECT",
    "SERVER, CONNECT",
    "ATTEMPT, ACCEPT",
    "CLIENT, ACCEPT",
    "SERVER, ACCEPT",
    "CLIENT_END, EVENTS",
    "SERVER_END, EVENTS",
    "CLIENT, EVENTS",
    "SERVER, EVENTS",
    "CLIENT_END, COMPLETIONS",
    "SERVER_END, COMPLETIONS",
    "CLIENT, COMPLETIONS",
    "SERVER, COMPLETIONS"
  })
  void everyFutureCompletesAndNothingIsLeft(Target target, Action action) throws Exception {
    try (Bench bench = new Bench(random.nextBoolean() ? Transport.EPOLL : Transport.NIO)) {
      for (int i = 0; i < ROUNDS; i++) {
        Round round = new Round(bench, action);
        round.race(target);
        round.close();
        round.assertComplete("round " + i + " of seed " + seed);
        assertThat(bench.fake.violations()).as("round %d of seed %d", i, seed).isEmpty();
        bench.fake.clearCalls();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyFutureCompletesWhenVertxIsClosed(Action action) throws Exception {
    for (int i = 0; i < Math.max(1, ROUNDS / 10); i++) {
      try (Bench bench = new Bench(random.nextBoolean() ? Transport.EPOLL : Transport.NIO)) {
        Round round = new Round(bench, action);
        round.race(Target.VERTX);
        Bench.get(bench.vertx.close());
        round.assertComplete("round " + i + " of seed " + seed);
      }
    }
  }

  /** A server, a client, perhaps a connection, and all futures they gave. */
  private final class Round {
    private final Bench bench;
    private final Action action;
    private final RdmaServer server;
    private final RdmaClient client;
    private final Collection<Future<?>> futures = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<RdmaConnection> accepted = new LinkedBlockingQueue<>();
    private final Disposable attempt;
    private ConnectRequest request;
    private RdmaConnection clientEnd;
    private RdmaConnection serverEnd;

    Round(Bench bench, Action action) throws InterruptedException {
      this.bench = bench;
      this.action = action;
      server = bench.elsewhere(bench::server);
      client = bench.elsewhere(bench::client);
      server.connectRequestHandler(action == Action.ACCEPT ? requests::add : this::accept);
      Bench.get(server.listen());
      switch (action) {
        case CONNECT -> attempt = connecting();
        case ACCEPT -> {
          attempt = connecting();
          request = requests.poll(SECONDS, TimeUnit.SECONDS);
          assertThat(request).as("the request").isNotNull();
        }
        default -> {
          attempt = Disposable.disposed();
          clientEnd = Bench.get(client.connect(Bench.PORT, Bench.HOST));
          serverEnd = accepted.poll(SECONDS, TimeUnit.SECONDS);
          assertThat(serverEnd).as("the server's end").isNotNull();
          clientEnd.immediateHandler((from, value, length) -> {});
          serverEnd.immediateHandler((from, value, length) -> {});
          futures.add(clientEnd.closed());
          futures.add(serverEnd.closed());
        }
      }
    }

    private Disposable connecting() {
      return client.rxConnect(Bench.PORT, Bench.HOST).subscribe(made -> {}, failed -> {});
    }

    private void accept(ConnectRequest came) {
      Future<RdmaConnection> accepting = came.accept();
      futures.add(accepting);
      accepting.onSuccess(accepted::add);
    }

    /** One thread acts, the other one closes, in either order, up to 0.4 ms apart. */
    void race(Target target) throws Exception {
      CyclicBarrier start = new CyclicBarrier(2);
      int apart = random.nextInt(-MAX_APART_NANOS, MAX_APART_NANOS);
      var acting = threads.submit(() -> after(start, Math.max(0, apart), this::act));
      var closing = threads.submit(() -> after(start, Math.max(0, -apart), () -> close(target)));
      acting.get(SECONDS, TimeUnit.SECONDS);
      closing.get(SECONDS, TimeUnit.SECONDS);
    }

    private void act() {
      switch (action) {
        case CONNECT -> unlessClosed(() -> client.connect(Bench.PORT, Bench.HOST));
        case ACCEPT -> accept(request);
        case EVENTS -> {
          bench.fake.event(bench.idOf("rdma_connect")).type(DISCONNECTED).enqueue();
          futures.add((random.nextBoolean() ? clientEnd : serverEnd).close());
        }
        case COMPLETIONS -> {
          for (int i = 0; i < WRITES; i++) {
            long value = i;
            unlessClosed(() -> clientEnd.writeImmediate(value));
            unlessClosed(() -> serverEnd.writeImmediate(value));
          }
        }
      }
    }

    private void unlessClosed(Supplier<Future<?>> call) {
      try {
        futures.add(call.get());
      } catch (IllegalStateException closed) {
        assertThat(closed).hasMessageContaining("closed");
      }
    }

    private void close(Target target) {
      switch (target) {
        case ATTEMPT -> attempt.dispose();
        case CLIENT_END -> futures.add(clientEnd.close());
        case SERVER_END -> futures.add(serverEnd.close());
        case CLIENT -> futures.add(client.close());
        case SERVER -> futures.add(server.close());
        case VERTX -> futures.add(bench.vertx.close());
      }
    }

    void close() {
      Bench.get(client.close());
      Bench.get(server.close());
    }

    /** Those that a loop which has ended would have to call are looked at, not listened to. */
    void assertComplete(String where) {
      Bench.until(where + ": all futures", () -> futures.stream().allMatch(Future::isComplete));
    }
  }

  private static Void after(CyclicBarrier start, int nanos, Runnable work)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    start.await(SECONDS, TimeUnit.SECONDS);
    long due = System.nanoTime() + nanos;
    while (System.nanoTime() - due < 0) {
      Thread.onSpinWait();
    }
    work.run();
    return null;
  }
}
