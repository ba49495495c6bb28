package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.ReceiveBatch;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A native provider over the fake with the objects most tests need; closing it closes them in the
 * right order and checks that nothing is left and nothing was misused.
 */
final class FakeRig implements AutoCloseable {

  static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.1", 18515);

  final FakeNativeCalls fake = new FakeNativeCalls();
  final RdmaProvider provider = FakeProvider.over(fake);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private CmEventChannel channel;
  private ProtectionDomain domain;
  private CompletionChannel completions;
  private CompletionQueue queue;

  <T extends AutoCloseable> T closing(T object) {
    opened.push(object);
    return object;
  }

  CmEventChannel channel() {
    if (channel == null) {
      channel = closing(provider.createEventChannel());
    }
    return channel;
  }

  DeviceContext device() {
    return provider.devices().get(0);
  }

  ProtectionDomain domain() {
    if (domain == null) {
      domain = closing(device().allocateProtectionDomain());
    }
    return domain;
  }

  CompletionChannel completions() {
    if (completions == null) {
      completions = closing(device().createCompletionChannel());
    }
    return completions;
  }

  CompletionQueue queue() {
    if (queue == null) {
      queue = closing(device().createCompletionQueue(256, completions()));
    }
    return queue;
  }

  CmId id() {
    // What ids need is opened before them, so that it is closed after them.
    channel();
    domain();
    queue();
    return closing(channel().createId(PortSpace.TCP));
  }

  CmId listener() {
    CmId listener = id();
    listener.bind(SERVER);
    listener.listen(16);
    return listener;
  }

  /** The next event, which must be of that type. */
  CmEvent next(CmEventType type) {
    CmEvent event = channel().poll();
    assertThat(event).as("an event %s", type).isNotNull();
    assertThat(event.type()).isEqualTo(type);
    return event;
  }

  QueuePair queuePair(CmId id) {
    return id.createQueuePair(
        domain(),
        new QueuePairInit(
            QueuePairType.RC,
            queue(),
            queue(),
            null,
            new QueuePairCapabilities(16, 32, 2, 1, 64),
            false));
  }

  /** An id whose address and route are resolved and that has a queue pair. */
  CmId resolved() {
    CmId id = id();
    id.resolveAddress(null, SERVER, 1000);
    next(CmEventType.ADDR_RESOLVED);
    queuePair(id);
    id.resolveRoute(1000);
    next(CmEventType.ROUTE_RESOLVED);
    return id;
  }

  /** An id that is connected to nowhere: its sends succeed, its receives are completed by hand. */
  CmId connected() {
    CmId id = resolved();
    id.connect(ConnParam.ZERO);
    next(CmEventType.ESTABLISHED);
    return id;
  }

  /** The id of a scripted request, with a queue pair. */
  CmId requested(CmId listener) {
    fake.incomingRequest(pointer(listener)).enqueue();
    CmId child = closing(next(CmEventType.CONNECT_REQUEST).id());
    queuePair(child);
    return child;
  }

  long pointer(CmId listener) {
    return fake.listenerOn(listener.localAddress().getPort());
  }

  void postReceives(QueuePair pair, int count, long firstId) {
    try (ReceiveBatch batch = pair.allocateReceiveBatch(count, 0)) {
      for (int i = 0; i < count; i++) {
        batch.add(firstId + i);
      }
      assertThat(batch.post()).isZero();
    }
  }

  /** Closes everything; afterwards nothing native may live. */
  void closeAll() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new AssertionError("closing failed", e);
      }
    }
  }

  @Override
  public void close() {
    closeAll();
    fake.assertClean();
    assertThat(fake.eventsAcknowledged()).isEqualTo(fake.eventsFetched());
    fake.close();
  }
}
