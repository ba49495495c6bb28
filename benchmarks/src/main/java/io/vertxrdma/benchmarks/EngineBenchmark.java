package io.vertxrdma.benchmarks;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.transport.ConnectionSetup;
import io.vertxrdma.soft.transport.Engine;
import io.vertxrdma.soft.transport.SoftQueuePair;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * The soft transport without socket and CRC: a write with immediate of 8 bytes from one engine to
 * another, from posting it to both completions, acknowledgement included.
 *
 * <p>One operation is one write. They go out in chains of 32 over one connection at a time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {

  static final int CHAIN = 32;

  private static final int DEPTH = 64;
  private static final int BYTES = 8;
  private static final int MTU = 4096;
  private static final int REMOTE_WRITE = 2;

  /** Connections that take turns. */
  @Param({"1", "1000"})
  public int connections;

  private final End client = new End("10.0.0.1");
  private final End server = new End("10.0.0.2");
  private SendBatch[] writes;
  private ReceiveBatch[] receives;
  private int turn;

  /** One engine with what its connections share. */
  private static final class End {

    private final MemoryLink link;
    private final Engine engine;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final WorkCompletions completions;
    private final MemoryRegion memory;

    End(String address) {
      try {
        link = new MemoryLink(InetAddress.getByName(address));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
      // The clock stands still: nothing is ever late.
      Timers timers = (delayNanos, task) -> () -> {};
      engine = new Engine(link, timers, SoftDeviceOptions.DEFAULT, new SoftCounters());
      domain = engine.allocateProtectionDomain(null);
      queue = engine.createCompletionQueue(4096, null);
      completions = queue.allocate(CHAIN);
      memory =
          domain.register(
              ByteBuffer.allocateDirect(4096),
              Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    }

    SoftQueuePair createQueuePair() {
      return engine.createQueuePair(
          domain,
          new QueuePairInit(
              QueuePairType.RC,
              queue,
              queue,
              null,
              new QueuePairCapabilities(DEPTH, DEPTH, 1, 1, 0),
              false));
    }

    void connect(SoftQueuePair own, End peer, SoftQueuePair other) {
      own.connect(
          new ConnectionSetup(
              peer.link.localAddress(), other.number(), 0, 0, MTU, 1, 1, 14, 7, 7, REMOTE_WRITE));
    }

    int poll() {
      return queue.poll(completions);
    }
  }

  /** Connects. */
  @Setup
  public void connect() {
    writes = new SendBatch[connections];
    receives = new ReceiveBatch[connections];
    for (int i = 0; i < connections; i++) {
      SoftQueuePair from = client.createQueuePair();
      SoftQueuePair to = server.createQueuePair();
      client.connect(from, server, to);
      server.connect(to, client, from);
      writes[i] = from.allocateSendBatch(CHAIN, 1);
      receives[i] = to.allocateReceiveBatch(CHAIN, 0);
    }
  }

  /** Posts receives and writes, carries packets both ways, polls both sides. */
  @Benchmark
  @OperationsPerInvocation(CHAIN)
  public int writeWithImmediate() {
    turn = turn + 1 == connections ? 0 : turn + 1;
    ReceiveBatch receive = receives[turn];
    receive.clear();
    SendBatch write = writes[turn];
    write.clear();
    for (int i = 0; i < CHAIN; i++) {
      receive.add(i);
      write.add(
          i,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          i == CHAIN - 1 ? SendFlag.SIGNALED : 0,
          i,
          server.memory.address(),
          server.memory.remoteKey());
      write.addScatterGather(client.memory.address(), BYTES, client.memory.localKey());
    }
    int refused = receive.post() | write.post();
    client.link.carryTo(server.link);
    server.link.carryTo(client.link);
    int received = server.poll();
    if (refused != 0 || received != CHAIN || client.poll() != 1) {
      throw new IllegalStateException(received + " of " + CHAIN + " writes arrived");
    }
    return server.completions.immediate(CHAIN - 1);
  }

  /** Closes both. */
  @TearDown
  public void close() {
    client.engine.close();
    server.engine.close();
  }
}
