package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/** A connection between two providers, one request at a time. */
@SuppressWarnings("try") // what is closed may say that it was interrupted
final class SoftSession implements AutoCloseable {

  static final int SIZE = 4096;
  private static final ConnParam NOTHING = new ConnParam(null, 0, 0, 0, 0, 0, false, 0);

  private final Deque<AutoCloseable> closing = new ArrayDeque<>();
  private final CmEventChannel serverEvents;
  private final CmEventChannel clientEvents;
  private CmId listener;
  End server;
  End client;

  SoftSession(RdmaProvider serving, RdmaProvider asking) {
    serverEvents = track(serving.createEventChannel());
    clientEvents = track(asking.createEventChannel());
  }

  private <T extends AutoCloseable> T track(T made) {
    closing.push(made);
    return made;
  }

  private static ConnParam parameters(byte[] privateData) {
    return new ConnParam(privateData, 4, 4, 0, 7, 7, false, 0);
  }

  private static CmEvent next(CmEventChannel channel, CmEventType type) {
    AtomicReference<CmEvent> found = new AtomicReference<>();
    Awaitility.await(type.nativeName())
        .atMost(Duration.ofSeconds(Command.TIMEOUT_SECONDS))
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              found.set(channel.poll());
              return found.get() != null;
            });
    assertThat(found.get().type()).as("%s", found.get()).isEqualTo(type);
    return found.get();
  }

  private CmId resolved(PortSpace space, InetSocketAddress destination) {
    CmId id = track(clientEvents.createId(space));
    id.resolveAddress(null, destination, 2000);
    next(clientEvents, CmEventType.ADDR_RESOLVED);
    id.resolveRoute(2000);
    next(clientEvents, CmEventType.ROUTE_RESOLVED);
    return id;
  }

  private CmId listen(PortSpace space) {
    CmId id = track(serverEvents.createId(space));
    id.bind(new InetSocketAddress("127.0.0.1", 0));
    id.listen(4);
    return id;
  }

  void connect(byte[] request, byte[] reply) {
    listener = listen(PortSpace.TCP);
    CmId asking = resolved(PortSpace.TCP, listener.localAddress());
    client = track(new End(asking));
    asking.connect(parameters(request));
    CmId asked = track(next(serverEvents, CmEventType.CONNECT_REQUEST).id());
    server = track(new End(asked));
    asked.accept(parameters(reply));
    next(clientEvents, CmEventType.ESTABLISHED);
    next(serverEvents, CmEventType.ESTABLISHED);
  }

  /** DREQ of the client, DREP of the server. */
  void disconnect() {
    client.id.disconnect();
    next(serverEvents, CmEventType.DISCONNECTED);
    server.id.disconnect();
    next(clientEvents, CmEventType.DISCONNECTED);
  }

  /** Looks for a datagram service that isn't there. */
  void lookUpNobody() {
    int port = listener.localAddress().getPort();
    CmId asking =
        resolved(PortSpace.UDP, new InetSocketAddress(listener.localAddress().getAddress(), port));
    try (End end = new End(asking)) {
      asking.connect(NOTHING);
      next(clientEvents, CmEventType.UNREACHABLE);
    }
  }

  @Override
  public void close() throws IOException {
    while (!closing.isEmpty()) {
      try {
        closing.pop().close();
      } catch (IOException | RuntimeException failure) {
        throw failure;
      } catch (Exception impossible) {
        // None of what is tracked throws anything else.
        throw new AssertionError(impossible);
      }
    }
  }

  /** One end: queue pair, one piece of memory, blocking operations. */
  static final class End implements AutoCloseable {
    final CmId id;
    final MemoryRegion memory;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;

    private End(CmId id) {
      this.id = id;
      domain = id.device().allocateProtectionDomain();
      completions = id.device().createCompletionQueue(32, null);
      boolean datagrams = id.portSpace() == PortSpace.UDP;
      id.createQueuePair(
          domain,
          new QueuePairInit(
              datagrams ? QueuePairType.UD : QueuePairType.RC,
              completions,
              completions,
              null,
              new QueuePairCapabilities(8, 8, 1, 1, 0),
              false));
      memory =
          domain.register(
              ByteBuffer.allocateDirect(SIZE + 8)
                  .alignedSlice(8)
                  .slice(0, SIZE)
                  .order(ByteOrder.nativeOrder()),
              EnumSet.of(
                  AccessFlag.LOCAL_WRITE,
                  AccessFlag.REMOTE_WRITE,
                  AccessFlag.REMOTE_READ,
                  AccessFlag.REMOTE_ATOMIC));
    }

    void fill(int length) {
      for (int i = 0; i < length; i++) {
        memory.buffer().put(i, (byte) (i * 7 + 1));
      }
    }

    byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      memory.buffer().get(0, bytes);
      return bytes;
    }

    void postReceive(long workRequest, int length) {
      try (ReceiveBatch batch = id.queuePair().allocateReceiveBatch(1, 1)) {
        batch.add(workRequest);
        if (length > 0) {
          batch.addScatterGather(memory.address(), length, memory.localKey());
        }
        assertThat(batch.post()).isZero();
      }
    }

    /** Posts a request on the first bytes of the memory of both ends; returns its status. */
    int execute(
        SendOpcode opcode, int immediate, int length, End target, int key, long... operands) {
      try (SendBatch batch = id.queuePair().allocateSendBatch(1, 1)) {
        batch.add(1, opcode, SendFlag.SIGNALED, immediate, target.memory.address(), key);
        if (operands.length > 0) {
          batch.setAtomicOperands(operands[0], operands[1]);
        }
        if (length > 0) {
          batch.addScatterGather(memory.address(), length, memory.localKey());
        }
        assertThat(batch.post()).isZero();
      }
      return status();
    }

    /** The status of the next completion. */
    int status() {
      WorkCompletions one = completions.allocate(1);
      Awaitility.await("a work completion")
          .atMost(Duration.ofSeconds(Command.TIMEOUT_SECONDS))
          .pollInterval(Duration.ofMillis(1))
          .until(() -> completions.poll(one) == 1);
      return one.status(0);
    }

    @Override
    public void close() {
      if (id.queuePair() != null) {
        id.queuePair().close();
      }
      memory.close();
      completions.close();
      domain.close();
    }
  }
}
