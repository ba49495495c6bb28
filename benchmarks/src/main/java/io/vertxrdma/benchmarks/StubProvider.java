package io.vertxrdma.benchmarks;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.RdmaProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider that takes no time: every connect succeeds at once, and its device delivers as many
 * immediates as it is told to. What is left to measure is the library above it.
 */
final class StubProvider implements RdmaProvider {

  final StubDevice device = new StubDevice();

  @Override
  public String name() {
    return "stub";
  }

  @Override
  public Availability availability() {
    return Availability.available("a stub");
  }

  @Override
  public CmEventChannel createEventChannel(Executor eventLoop) {
    return new Channel();
  }

  @Override
  public List<DeviceContext> devices() {
    return List.of(device);
  }

  @Override
  public Optional<DeviceContext> deviceFor(InetAddress localAddress) {
    return Optional.of(device);
  }

  private final class Channel implements CmEventChannel {

    private final Queue<CmEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ids = new AtomicInteger();
    private volatile Runnable listener = () -> {};

    void fire(Id id, CmEventType type) {
      events.add(new CmEvent(type.code(), 0, 0, id, null, ConnParam.ZERO));
      listener.run();
    }

    @Override
    public CmEvent poll() {
      return events.poll();
    }

    @Override
    public CmId createId(PortSpace portSpace) {
      ids.incrementAndGet();
      return new Id(this);
    }

    @Override
    public int liveIds() {
      return ids.get();
    }

    @Override
    public int fileDescriptor() {
      return -1;
    }

    @Override
    public void setReadableListener(Runnable listener) {
      this.listener = listener;
      listener.run();
    }

    @Override
    public void close() {}
  }

  private final class Id implements CmId {

    private final Channel channel;
    private StubQueuePair queuePair;
    private InetSocketAddress remote;
    private volatile Object attachment;
    private volatile boolean closed;

    Id(Channel channel) {
      this.channel = channel;
    }

    @Override
    public PortSpace portSpace() {
      return PortSpace.TCP;
    }

    @Override
    public void setOption(CmOption option, int value) {}

    @Override
    public void bind(InetSocketAddress local) {}

    @Override
    public void listen(int backlog) {
      throw new UnsupportedOperationException("the stub only connects");
    }

    @Override
    public void resolveAddress(
        InetSocketAddress source, InetSocketAddress destination, int timeoutMillis) {
      remote = destination;
      channel.fire(this, CmEventType.ADDR_RESOLVED);
    }

    @Override
    public void resolveRoute(int timeoutMillis) {
      channel.fire(this, CmEventType.ROUTE_RESOLVED);
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain pd, QueuePairInit init) {
      queuePair = device.createQueuePair(init);
      return queuePair;
    }

    @Override
    public void connect(ConnParam parameters) {
      channel.fire(this, CmEventType.ESTABLISHED);
    }

    @Override
    public void accept(ConnParam parameters) {
      throw new UnsupportedOperationException("the stub only connects");
    }

    @Override
    public void reject(byte[] privateData) {
      throw new UnsupportedOperationException("the stub only connects");
    }

    @Override
    public void disconnect() {
      queuePair.toError();
      channel.fire(this, CmEventType.DISCONNECTED);
    }

    @Override
    public void migrate(CmEventChannel target) {
      throw new UnsupportedOperationException("the stub has one event loop");
    }

    @Override
    public DeviceContext device() {
      return device;
    }

    @Override
    public InetSocketAddress localAddress() {
      return remote;
    }

    @Override
    public InetSocketAddress remoteAddress() {
      return remote;
    }

    @Override
    public int port() {
      return 1;
    }

    @Override
    public QueuePair queuePair() {
      return queuePair;
    }

    @Override
    public Object attachment() {
      return attachment;
    }

    @Override
    public void setAttachment(Object attachment) {
      this.attachment = attachment;
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        channel.ids.decrementAndGet();
      }
    }
  }
}
