package io.vertxrdma.benchmarks;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.core.WorkCompletions;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The stub's device: its completion queue always has the next immediate ready, for each connection
 * in turn, until as many were delivered as were ordered.
 */
final class StubDevice implements DeviceContext {

  private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>();

  private static final int QUEUE_ENTRIES = 1 << 20;

  private final List<StubQueuePair> queuePairs = new ArrayList<>();
  private Channel channel;
  private Queue queue;

  /** Has that many immediates delivered; any thread, once the ones ordered before are through. */
  void order(long immediates) {
    queue.ordered = immediates;
    channel.listener.run();
  }

  synchronized StubQueuePair createQueuePair(QueuePairInit init) {
    StubQueuePair made =
        new StubQueuePair(queuePairs.size() + 1, init.capabilities(), channel::wake);
    queuePairs.add(made);
    queue.turns = queuePairs.toArray(new StubQueuePair[0]);
    return made;
  }

  @Override
  public String name() {
    return "stub0";
  }

  @Override
  public String driver() {
    return "stub";
  }

  @Override
  public TransportType transport() {
    return TransportType.ROCE;
  }

  @Override
  public DeviceAttributes attributes() {
    return new DeviceAttributes(
        "", 1, 0, 0, 1L << 30, 65_536, 16_384, 4, 16, QUEUE_ENTRIES, 65_536, 16, 16, 0, 0, true, 1);
  }

  @Override
  public PortAttributes queryPort(int port) {
    return new PortAttributes(PortAttributes.State.ACTIVE, 4096, 4096, 1, 1L << 31, 0, true);
  }

  @Override
  public List<InetAddress> addresses(int port) {
    return List.of(InetAddress.getLoopbackAddress());
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return new Domain();
  }

  @Override
  public CompletionChannel createCompletionChannel() {
    channel = new Channel();
    return channel;
  }

  @Override
  public CompletionQueue createCompletionQueue(int entries, CompletionChannel onChannel) {
    // One is enough for all connections, so that every poll sees all of them.
    queue = new Queue();
    return queue;
  }

  @Override
  public AsyncEventQueue asyncEvents() {
    return new AsyncEventQueue() {
      @Override
      public AsyncEvent poll() {
        return null;
      }

      @Override
      public int fileDescriptor() {
        return -1;
      }

      @Override
      public void setReadableListener(Runnable listener) {}
    };
  }

  private final class Channel implements CompletionChannel {

    private volatile Runnable listener = () -> {};

    void wake() {
      listener.run();
    }

    @Override
    public int drain(Consumer<CompletionQueue> readable) {
      if (queue == null) {
        return 0;
      }
      readable.accept(queue);
      return 1;
    }

    @Override
    public int fileDescriptor() {
      return -1;
    }

    @Override
    public void setReadableListener(Runnable listener) {
      this.listener = listener;
    }

    @Override
    public void close() {}
  }

  private static final class Queue implements CompletionQueue {

    private volatile StubQueuePair[] turns = {};
    private volatile long ordered;
    private int turn;
    private int value;

    @Override
    public int capacity() {
      return QUEUE_ENTRIES;
    }

    @Override
    public void resize(int entries) {
      throw new UnsupportedOperationException("the one queue of this device is large enough");
    }

    @Override
    public WorkCompletions allocate(int capacity) {
      return new StubCompletions(capacity);
    }

    @Override
    public int poll(WorkCompletions into) {
      StubCompletions completions = (StubCompletions) into;
      StubQueuePair[] pairs = turns;
      completions.clear();
      long before = ordered;
      long left = before;
      int idle = 0;
      while (completions.size() < completions.capacity() && idle < pairs.length) {
        if (++turn >= pairs.length) {
          turn = 0;
        }
        StubQueuePair pair = pairs[turn];
        if (pair.fillIfEnding(completions)) {
          idle = 0;
        } else if (left > 0 && pair.takeReceive()) {
          completions.add(pair.receiveId(), pair.number(), value++);
          left--;
          idle = 0;
        } else {
          idle++;
        }
      }
      // Not compared with the order again: a new one may have come since.
      if (left != before) {
        ordered = left;
      }
      return completions.size();
    }

    @Override
    public void requestNotification() {}

    @Override
    public void close() {}
  }

  @Override
  public PortCounters readCounters(int port) {
    throw new UnsupportedOperationException("the stub counts nothing");
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<T> maker) {
    return type.cast(attachments.computeIfAbsent(type, absent -> maker.get()));
  }

  private final class Domain implements ProtectionDomain {

    @Override
    public DeviceContext device() {
      return StubDevice.this;
    }

    @Override
    public MemoryRegion register(ByteBuffer buffer, Set<AccessFlag> access) {
      throw new UnsupportedOperationException("the stub has no memory");
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
      throw new UnsupportedOperationException("the stub has no shared receive queues");
    }

    @Override
    public AddressHandle createAddressHandle(AddressHandleAttributes attributes) {
      throw noDatagrams();
    }

    @Override
    public AddressHandle createAddressHandle(InetAddress source, InetAddress destination) {
      throw noDatagrams();
    }

    @Override
    public AddressHandle createAddressHandle(
        WorkCompletions completions, int index, ByteBuffer receiveBuffer, int port) {
      throw noDatagrams();
    }

    private static UnsupportedOperationException noDatagrams() {
      return new UnsupportedOperationException("the stub has no datagrams");
    }

    @Override
    public void close() {}
  }
}
