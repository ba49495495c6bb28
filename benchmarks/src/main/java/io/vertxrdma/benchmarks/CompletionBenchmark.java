package io.vertxrdma.benchmarks;

import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What one immediate costs between the poll of the completion queue and the application, over a
 * device that takes no time: polling, dispatch, hand-over, and posting the receive again.
 *
 * <p>One operation is one immediate. They are ordered in large portions, so that waking the event
 * loop weighs nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CompletionBenchmark {

  static final int PORTION = 1 << 20;

  private static final int SECONDS = 60;

  /** Who takes the immediates. */
  public enum Consumer {
    /** {@link RdmaConnection#immediateHandler}. */
    HANDLER,
    /** {@link RdmaConnection#immediates()}. */
    FLOWABLE
  }

  /** Who takes the immediates. */
  @Param public Consumer consumer;

  /** Connections that take turns. */
  @Param({"1", "10", "100", "1000"})
  public int connections;

  private final StubProvider provider = new StubProvider();
  private final Semaphore portions = new Semaphore(0);
  private Vertx vertx;
  // On the event loop.
  private long taken;
  private long sum;

  /** Makes the connections. */
  @Setup
  public void connect() throws TimeoutException {
    vertx = Vertx.vertx();
    List<RdmaConnection> made = new ArrayList<>();
    RdmaClient client = RdmaClient.create(vertx, new RdmaClientOptions(), provider);
    for (int i = 0; i < connections; i++) {
      made.add(client.connect(1, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS));
    }
    for (RdmaConnection connection : made) {
      if (consumer == Consumer.HANDLER) {
        connection.immediateHandler((from, immediate, byteLength) -> take(immediate));
      } else {
        connection.immediates().subscribe(immediate -> take(immediate.intValue()));
      }
    }
  }

  private void take(int immediate) {
    sum += immediate;
    if (++taken % PORTION == 0) {
      portions.release();
    }
  }

  /** Has a portion of immediates delivered. */
  @Benchmark
  @OperationsPerInvocation(PORTION)
  public long immediate() throws InterruptedException, TimeoutException {
    provider.device.order(PORTION);
    if (!portions.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
      throw new TimeoutException(taken + " immediates came");
    }
    return sum;
  }

  /** Closes everything. */
  @TearDown
  public void close() throws TimeoutException {
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }
}
