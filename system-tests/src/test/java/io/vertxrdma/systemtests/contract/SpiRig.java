package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/**
 * Two ids of one provider in this process, driven by polling: no Vert.x, no event loop. What it
 * makes is closed in reverse order.
 */
@SuppressWarnings("try") // what is closed may say that it was interrupted
final class SpiRig implements AutoCloseable {

  static final int DEPTH = 16;
  static final ConnParam PARAMETERS = new ConnParam(null, 1, 1, 0, 6, 7, false, 0);

  private final RdmaProvider provider;
  private final String address;
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();
  private final Deque<CmId> ids = new ArrayDeque<>();
  final CmEventChannel serverChannel;
  final CmEventChannel clientChannel;
  final CmId listener;
  CmId server;
  CmId client;
  CompletionQueue serverQueue;
  CompletionQueue clientQueue;
  ProtectionDomain domain;

  /** One work completion, copied. */
  record Completion(
      long workRequestId,
      int status,
      int opcode,
      int byteLength,
      boolean hasImmediate,
      int immediate) {}

  SpiRig(ContractRig rig) {
    this.provider = rig.provider();
    this.address = rig.address();
    this.serverChannel = closing(provider.createEventChannel());
    this.clientChannel = closing(provider.createEventChannel());
    this.listener = closing(serverChannel.createId(PortSpace.TCP));
    listener.bind(new InetSocketAddress(address, 0));
    listener.listen(8);
  }

  <T extends AutoCloseable> T closing(T made) {
    closing.push(made);
    return made;
  }

  /** Ids go first: their queue pairs use all the rest. */
  CmId closing(CmId made) {
    ids.push(made);
    return made;
  }

  CmEventChannel anotherChannel() {
    return closing(provider.createEventChannel());
  }

  /** The next event of a channel, which must be of that type. */
  CmEvent next(CmEventChannel channel, CmEventType type) {
    return nextEvent(channel, type);
  }

  static CmEvent nextEvent(CmEventChannel channel, CmEventType type) {
    AtomicReference<CmEvent> found = new AtomicReference<>();
    Awaitility.await(type.nativeName())
        .atMost(Duration.ofSeconds(ContractRig.TIMEOUT_SECONDS))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              found.set(channel.poll());
              return found.get() != null;
            });
    assertThat(found.get().type()).as("%s", found.get()).isEqualTo(type);
    return found.get();
  }

  /** Resolves a client id up to where it can connect, with a queue pair. */
  CmId resolve(int port) {
    CmId id = closing(clientChannel.createId(PortSpace.TCP));
    id.resolveAddress(null, new InetSocketAddress(address, port), 2000);
    next(clientChannel, CmEventType.ADDR_RESOLVED);
    id.resolveRoute(2000);
    next(clientChannel, CmEventType.ROUTE_RESOLVED);
    openDevice(id.device());
    return id;
  }

  private void openDevice(DeviceContext device) {
    if (domain == null) {
      domain = closing(device.allocateProtectionDomain());
      clientQueue = closing(device.createCompletionQueue(4 * DEPTH, null));
      serverQueue = closing(device.createCompletionQueue(4 * DEPTH, null));
    }
  }

  QueuePair queuePair(CmId id, CompletionQueue queue, SharedReceiveQueue shared) {
    return id.createQueuePair(
        domain,
        new QueuePairInit(
            QueuePairType.RC,
            queue,
            queue,
            shared,
            new QueuePairCapabilities(DEPTH, DEPTH, 1, 1, 0),
            false));
  }

  /** Sends a request and returns it as the server sees it; its id is still without queue pair. */
  CmEvent request(ConnParam parameters) {
    client = resolve(listener.localAddress().getPort());
    queuePair(client, clientQueue, null);
    client.connect(parameters);
    CmEvent request = next(serverChannel, CmEventType.CONNECT_REQUEST);
    server = closing(request.id());
    return request;
  }

  /** Accepts the request; returns the client's event. */
  CmEvent accept(ConnParam parameters) {
    server.accept(parameters);
    CmEvent established = next(clientChannel, CmEventType.ESTABLISHED);
    next(serverChannel, CmEventType.ESTABLISHED);
    return established;
  }

  /** A connected pair. */
  SpiRig connected() {
    request(PARAMETERS);
    queuePair(server, serverQueue, null);
    accept(PARAMETERS);
    return this;
  }

  /** Zeroed registered memory in the order of this machine, as atomics have it. */
  MemoryRegion region(int size, AccessFlag... access) {
    ByteBuffer memory = ByteBuffer.allocateDirect(size + 8).alignedSlice(8).slice(0, size);
    return closing(domain.register(memory.order(ByteOrder.nativeOrder()), Set.of(access)));
  }

  /** Posts one signalled request; region and atomic operands are optional. */
  void send(
      long workRequestId,
      SendOpcode opcode,
      int immediate,
      MemoryRegion local,
      MemoryRegion remote,
      long... operands) {
    try (SendBatch batch = client.queuePair().allocateSendBatch(1, 1)) {
      batch.clear();
      batch.add(
          workRequestId,
          opcode,
          SendFlag.SIGNALED,
          immediate,
          remote == null ? 0 : remote.address(),
          remote == null ? 0 : remote.remoteKey());
      if (local != null) {
        batch.addScatterGather(local.address(), (int) local.length(), local.localKey());
      }
      if (operands.length > 0) {
        batch.setAtomicOperands(operands[0], operands.length > 1 ? operands[1] : 0);
      }
      assertThat(batch.post()).as("errno of post_send").isZero();
    }
  }

  /** Posts receives without memory, numbered from first. */
  static int postReceives(ReceiveBatch batch, long first, int count) {
    batch.clear();
    for (int i = 0; i < count; i++) {
      batch.add(first + i);
    }
    return batch.post();
  }

  void postReceives(long first, int count) {
    try (ReceiveBatch batch = server.queuePair().allocateReceiveBatch(count, 1)) {
      assertThat(postReceives(batch, first, count)).as("errno of post_recv").isZero();
    }
  }

  /** The next completion of a queue. */
  static Completion next(CompletionQueue queue) {
    WorkCompletions one = queue.allocate(1);
    Awaitility.await("a work completion")
        .atMost(Duration.ofSeconds(ContractRig.TIMEOUT_SECONDS))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> queue.poll(one) == 1);
    return new Completion(
        one.workRequestId(0),
        one.status(0),
        one.opcode(0),
        one.byteLength(0),
        one.hasImmediate(0),
        one.hasImmediate(0) ? one.immediate(0) : 0);
  }

  /** The next completion, which must be a success of that request. */
  static Completion nextSuccess(CompletionQueue queue, long workRequestId) {
    Completion completion = next(queue);
    assertThat(completion.status()).as("%s", completion).isZero();
    assertThat(completion.workRequestId()).isEqualTo(workRequestId);
    return completion;
  }

  @Override
  public void close() throws Exception {
    ids.forEach(CmId::close);
    while (!closing.isEmpty()) {
      closing.pop().close();
    }
  }
}
