package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.EventSource;
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
import io.vertxrdma.core.WorkCompletions;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One program that uses a provider through the SPI alone, blocking where it waits. */
final class Spi implements AutoCloseable {

  static final int SECONDS = 60;
  static final ConnParam PARAMETERS = param(new byte[0]);

  final RdmaProvider provider;
  final CmEventChannel channel;
  private final Semaphore readable = new Semaphore(0);
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();

  Spi(RdmaProvider provider) {
    this(provider, null);
  }

  /** With the sockets on an event loop of the test's, or of the provider's if null. */
  Spi(RdmaProvider provider, Executor eventLoop) {
    this.provider = provider;
    this.channel = provider.createEventChannel(eventLoop);
    channel.setReadableListener(readable::release);
  }

  /** A UDP port nobody has on the usual loopback addresses. */
  static int freeUdpPort() {
    try (DatagramSocket any = new DatagramSocket(null)) {
      any.bind(new InetSocketAddress(0));
      return any.getLocalPort();
    } catch (SocketException e) {
      throw new AssertionError(e);
    }
  }

  static ConnParam param(byte[] data) {
    return new ConnParam(data, 4, 4, 0, 6, 7, false, 0);
  }

  static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  static InetSocketAddress at(String literal, int port) {
    return new InetSocketAddress(ip(literal), port);
  }

  <T extends AutoCloseable> T track(T made) {
    closing.push(made);
    return made;
  }

  /** The next event; fails the test when none comes. */
  CmEvent next() {
    return await(channel::poll, "an event");
  }

  CmEvent next(CmEventType type) {
    CmEvent event = next();
    assertThat(event.type()).as("%s", event).isEqualTo(type);
    return event;
  }

  private <T> T await(Supplier<T> poll, String what) {
    return await(readable, poll, what);
  }

  static <T> T await(Semaphore readable, Supplier<T> poll, String what) {
    while (true) {
      T found = poll.get();
      if (found != null) {
        return found;
      }
      try {
        if (!readable.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("did not come: " + what);
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  CmId id(PortSpace space) {
    return track(channel.createId(space));
  }

  /** A listening id on a free port. */
  CmId listen(String address) {
    CmId id = id(PortSpace.TCP);
    id.bind(at(address, 0));
    id.listen(0);
    return id;
  }

  /** An id resolved towards a listener. */
  CmId resolved(PortSpace space, InetSocketAddress destination) {
    CmId id = id(space);
    id.resolveAddress(null, destination, 1000);
    assertThat(next(CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
    id.resolveRoute(1000);
    next(CmEventType.ROUTE_RESOLVED);
    return id;
  }

  /** What a connection works with. */
  Verbs verbs(CmId id) {
    return track(new Verbs(id));
  }

  @Override
  public void close() {
    while (!closing.isEmpty()) {
      try {
        closing.pop().close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    channel.close();
  }

  /** The queue pair of an id, with queues and memory of its own. */
  static final class Verbs implements AutoCloseable {

    final CmId id;
    final ProtectionDomain domain;
    final CompletionChannel channel;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final MemoryRegion memory;
    private final WorkCompletions polled;
    private final Semaphore readable = new Semaphore(0);

    private Verbs(CmId id) {
      this.id = id;
      DeviceContext device = id.device();
      domain = device.allocateProtectionDomain();
      channel = device.createCompletionChannel();
      ((EventSource) channel).setReadableListener(readable::release);
      completions = device.createCompletionQueue(64, channel);
      polled = completions.allocate(1);
      boolean datagrams = id.portSpace() == PortSpace.UDP;
      queuePair =
          id.createQueuePair(
              domain,
              new QueuePairInit(
                  datagrams ? QueuePairType.UD : QueuePairType.RC,
                  completions,
                  completions,
                  null,
                  new QueuePairCapabilities(16, 16, 1, 1, 0),
                  false));
      memory =
          domain.register(
              ByteBuffer.allocateDirect(4096),
              EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    }

    void postReceive(long workRequest) {
      try (ReceiveBatch batch = queuePair.allocateReceiveBatch(1, 0)) {
        batch.add(workRequest);
        assertThat(batch.post()).isZero();
      }
    }

    void write(String text, Verbs target, int immediate) {
      memory.buffer().put(0, text.getBytes());
      try (SendBatch batch = queuePair.allocateSendBatch(1, 1)) {
        batch.add(
            1,
            SendOpcode.RDMA_WRITE_WITH_IMM,
            SendFlag.SIGNALED,
            immediate,
            target.memory.address(),
            target.memory.remoteKey());
        batch.addScatterGather(memory.address(), text.length(), memory.localKey());
        assertThat(batch.post()).isZero();
      }
    }

    /** The next completion. */
    WorkCompletions completion() {
      return await(
          readable,
          () -> {
            completions.requestNotification();
            if (completions.poll(polled) == 1) {
              return polled;
            }
            channel.drain(queue -> {});
            return completions.poll(polled) == 1 ? polled : null;
          },
          "a completion");
    }

    String text(int length) {
      byte[] bytes = new byte[length];
      memory.buffer().get(0, bytes);
      return new String(bytes);
    }

    @Override
    public void close() {
      queuePair.close();
      memory.close();
      completions.close();
      channel.close();
      domain.close();
    }
  }
}
