package io.vertxrdma.soft.transport;

import io.netty.util.collection.IntObjectHashMap;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.wire.Headers;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heart of one soft device: its lock, its registries, and what makes its objects.
 *
 * <p>Every change of state happens under the lock, in whatever thread. When the outermost holder
 * leaves, packets go out and listeners are called, both without the lock. What was written to
 * memory before a completion is visible to whoever polls the completion: both take the lock.
 */
public final class Engine {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int FIRST_QUEUE_PAIR_NUMBER = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
  private final ArrayDeque<Runnable> notifications = new ArrayDeque<>();
  private final Link link;
  private final Timers timers;
  private final SoftDeviceOptions options;
  private final SoftCounters counters;
  private final String name;
  private final SecureRandom random = new SecureRandom();
  private final MemoryRegistry memory = new MemoryRegistry();
  private final SoftAsyncEventQueue asyncEvents = new SoftAsyncEventQueue(this);
  private final IntObjectHashMap<SoftQueuePair> queuePairs = new IntObjectHashMap<>();
  private final PacketWriter writer;
  private final Management management;
  private int nextQueuePairNumber;
  private int objects;
  private Runnable unusedListener = () -> {};
  private boolean closed;

  /** Makes the engine and becomes the link's receiver. */
  public Engine(Link link, Timers timers, SoftDeviceOptions options, SoftCounters counters) {
    this.link = link;
    this.timers = timers;
    this.options = options;
    this.counters = counters;
    this.name = "soft-" + link.localAddress().getHostAddress();
    this.writer = new PacketWriter(link, counters);
    this.management = new Management(writer, counters);
    this.nextQueuePairNumber = random.nextInt(Headers.MASK_24 + 1);
    link.setReceiver(new PacketDispatch(this, management));
  }

  /** Runs a task under the device lock. Re-entrant. */
  public void execute(Runnable task) {
    enter();
    try {
      task.run();
    } finally {
      leave();
    }
  }

  /** Whether the calling thread holds the device lock. */
  public boolean inside() {
    return lock.isHeldByCurrentThread();
  }

  void enter() {
    lock.lock();
  }

  /** Leaves; the outermost one runs what was deferred, flushes the link and calls listeners. */
  void leave() {
    if (lock.getHoldCount() > 1) {
      lock.unlock();
      return;
    }
    boolean flush;
    Runnable first;
    List<Runnable> others = List.of();
    try {
      runDeferred();
      flush = writer.takeUnflushed();
      first = notifications.poll();
      if (!notifications.isEmpty()) {
        others = new ArrayList<>(notifications);
        notifications.clear();
      }
    } finally {
      lock.unlock();
    }
    if (flush) {
      link.flush();
    }
    if (first != null) {
      call(first);
      for (int i = 0; i < others.size(); i++) {
        call(others.get(i));
      }
    }
  }

  /** Leaves without flushing and calling: more packets of the same batch follow. */
  void leaveForNow() {
    try {
      if (lock.getHoldCount() == 1) {
        runDeferred();
      }
    } finally {
      lock.unlock();
    }
  }

  private void runDeferred() {
    Runnable task;
    while ((task = deferred.poll()) != null) {
      call(task);
    }
  }

  private static void call(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      LOG.warn("a task of the soft device failed", failure);
    }
  }

  /** Runs a task under the lock, after what is going on now. */
  void defer(Runnable task) {
    deferred.add(task);
  }

  /** Calls a listener once the lock is released. */
  public void notifyLater(Runnable listener) {
    enter();
    try {
      notifications.add(listener);
    } finally {
      leave();
    }
  }

  /** Objects made on the device and not closed. */
  public int objectCount() {
    enter();
    try {
      return objects;
    } finally {
      leave();
    }
  }

  /** Sets what to call, without the lock, each time the last object was closed. */
  public void setUnusedListener(Runnable listener) {
    execute(() -> unusedListener = listener);
  }

  /** Counts an object. */
  void objectMade() {
    execute(() -> objects++);
  }

  /** Counts one less; lock held. */
  void objectClosed() {
    if (--objects == 0) {
      notifyLater(unusedListener);
    }
  }

  /** The link. */
  public Link link() {
    return link;
  }

  /** The timers. */
  public Timers timers() {
    return timers;
  }

  /** The limits. */
  public SoftDeviceOptions options() {
    return options;
  }

  /** The counters. */
  public SoftCounters counters() {
    return counters;
  }

  /** The device's name for messages. */
  String name() {
    return name;
  }

  /** The largest path MTU of the device. */
  int pathMtu() {
    return Math.min(options.pathMtu(), link.maxPathMtu());
  }

  MemoryRegistry memory() {
    return memory;
  }

  PacketWriter writer() {
    return writer;
  }

  SoftAsyncEventQueue asyncQueue() {
    return asyncEvents;
  }

  /** See {@link DeviceContext#allocateProtectionDomain()}. */
  public ProtectionDomain allocateProtectionDomain(DeviceContext device) {
    return new SoftProtectionDomain(this, device);
  }

  /** See {@link DeviceContext#createCompletionChannel()}. */
  public CompletionChannel createCompletionChannel() {
    return new SoftCompletionChannel(this);
  }

  /** See {@link DeviceContext#createCompletionQueue}. */
  public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
    checkCompletionQueueEntries(entries);
    SoftCompletionChannel own = channel == null ? null : own(SoftCompletionChannel.class, channel);
    enter();
    try {
      if (own != null) {
        own.users.acquire(SoftCompletionQueue.KIND);
      }
      return new SoftCompletionQueue(this, entries, own);
    } finally {
      leave();
    }
  }

  void checkCompletionQueueEntries(int entries) {
    if (entries < 1 || entries > options.maxCompletionQueueEntries()) {
      throw new IllegalArgumentException(
          "entries must be 1.."
              + options.maxCompletionQueueEntries()
              + " on device "
              + name
              + ", was "
              + entries);
    }
  }

  /** The one queue of asynchronous events of the device. */
  public AsyncEventQueue asyncEvents(DeviceContext device) {
    enter();
    try {
      asyncEvents.setDevice(device);
      return asyncEvents;
    } finally {
      leave();
    }
  }

  /**
   * Creates a queue pair in state INIT: receives may be posted.
   *
   * @throws io.vertxrdma.core.RdmaException when a capacity is over the device's limits
   */
  public SoftQueuePair createQueuePair(ProtectionDomain pd, QueuePairInit init) {
    enter();
    try {
      return SoftQueuePair.create(this, own(SoftProtectionDomain.class, pd), init);
    } finally {
      leave();
    }
  }

  /**
   * An argument as an object of this device.
   *
   * @throws IllegalArgumentException when another provider or device made it
   */
  <T extends SoftObject> T own(Class<T> type, Object object) {
    if (!type.isInstance(object) || type.cast(object).engine != this) {
      throw new IllegalArgumentException(object + " does not belong to device " + name);
    }
    return type.cast(object);
  }

  /** A number for a queue pair; one just freed is the last to come again. Lock held. */
  int allocateQueuePairNumber() {
    do {
      nextQueuePairNumber = nextQueuePairNumber + 1 & Headers.MASK_24;
    } while (nextQueuePairNumber < FIRST_QUEUE_PAIR_NUMBER
        || nextQueuePairNumber == Headers.MASK_24
        || queuePairs.containsKey(nextQueuePairNumber));
    return nextQueuePairNumber;
  }

  void add(SoftQueuePair queuePair) {
    queuePairs.put(queuePair.qpn, queuePair);
  }

  void remove(SoftQueuePair queuePair) {
    queuePairs.remove(queuePair.qpn);
  }

  /** The queue pair of a number, or null. */
  SoftQueuePair queuePair(int number) {
    return queuePairs.get(number);
  }

  int queuePairCount() {
    return queuePairs.size();
  }

  /** Sets who gets the datagrams to queue pair 1. */
  public void setManagementHandler(ManagementHandler handler) {
    execute(() -> management.setHandler(handler));
  }

  /**
   * Sends a management datagram from queue pair 1 to queue pair 1 of another address.
   *
   * @param destination where it goes
   * @param mad 256 bytes from position to limit; not kept
   */
  public void sendManagement(InetAddress destination, ByteBuffer mad) {
    enter();
    try {
      management.send(destination, mad);
    } finally {
      leave();
    }
  }

  /** A packet from queue pair 1 to queue pair 1, for those who can't wait for the link. */
  public static ByteBuffer managementPacket(ByteBuffer mad) {
    return Management.packet(mad, 0);
  }

  /** A random packet sequence number to start with. */
  public int allocateStartPsn() {
    return random.nextInt() & Headers.MASK_24;
  }

  /** Puts all queue pairs into error and closes the link. Idempotent. */
  public void close() {
    enter();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (SoftQueuePair queuePair : new ArrayList<>(queuePairs.values())) {
        queuePair.breakOff();
      }
    } finally {
      leave();
    }
    link.close();
  }
}
