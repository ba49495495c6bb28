package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.nio.NioIoHandle;
import io.netty.util.concurrent.Future;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.soft.cm.CmAgent;
import io.vertxrdma.soft.io.FreedPort;
import io.vertxrdma.soft.io.InterfaceMtu;
import io.vertxrdma.soft.transport.Engine;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The soft device of one local address. The object stays; its socket is open while ids or objects
 * use it.
 *
 * <p>Opening and closing happen on the event loop, under the monitor, and wait for nothing. So the
 * event loop can never wait for a thread that waits for it.
 */
final class SoftDevice implements DeviceContext {

  private static final Logger LOG = LoggerFactory.getLogger(SoftDevice.class);
  private static final int WAIT_SECONDS = 60;
  private static final int PORTS = 1;
  private static final int GIDS = 1;
  private static final long MAX_MESSAGE = 1L << 31;

  /** Low bits of the GUID that count how often the device was opened. */
  private static final long INCARNATIONS = 0xFFFF;

  private final SoftRuntime runtime;
  private final InetAddress address;
  private final long guid;
  private final SoftCounters counters = new SoftCounters();
  private final SoftAsyncEvents asyncEvents = new SoftAsyncEvents();
  private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>();
  private volatile OpenDevice open;
  private int uses;
  private long incarnation;

  /**
   * Makes the device, closed.
   *
   * @param guid a random number
   */
  SoftDevice(SoftRuntime runtime, InetAddress address, long guid) {
    this.runtime = runtime;
    this.address = address;
    this.guid = guid & ~INCARNATIONS;
  }

  InetAddress address() {
    return address;
  }

  boolean isOpen() {
    return open != null;
  }

  /** What it counted, over all times it was open. */
  SoftCounters counters() {
    return counters;
  }

  /** The event loop its socket is on, of the open device. */
  EventLoop loop() {
    return opened().loop();
  }

  /**
   * Counts a user; opens the device for the first one. Not under a lock that the event loop wants.
   *
   * @param preferred where its socket shall be if it is not open, null for the provider's loop
   * @throws io.vertxrdma.core.AddressInUseException when somebody else has the UDP port
   */
  void acquire(EventLoop preferred) {
    synchronized (this) {
      if (open != null) {
        uses++;
        return;
      }
    }
    EventLoop loop = preferred == null ? runtime.ownLoop().acquire() : preferred;
    boolean opened = false;
    try {
      opened = onLoop(loop, () -> openAndCount(loop, preferred == null));
    } finally {
      if (!opened && preferred == null) {
        runtime.ownLoop().release();
      }
    }
  }

  private synchronized boolean openAndCount(EventLoop loop, boolean ownLoop) {
    boolean opening = open == null;
    if (opening) {
      open = new OpenDevice(runtime, this, loop, ownLoop, guid | incarnation++ & INCARNATIONS);
      asyncEvents.opened(open.engine().asyncEvents(this));
      LOG.debug("opened {}", this);
    }
    uses++;
    return opening;
  }

  /** Counts a user if the device is open. */
  synchronized boolean acquireIfOpen() {
    if (open != null) {
      uses++;
    }
    return open != null;
  }

  /** Counts a user less. Not under a lock that the event loop wants. */
  void release() {
    synchronized (this) {
      uses--;
    }
    closeIfUnused();
  }

  /** Closes the socket unless somebody uses the device. */
  void closeIfUnused() {
    EventLoop loop;
    synchronized (this) {
      if (!isUnused()) {
        return;
      }
      loop = open.loop();
    }
    OpenDevice closed;
    try {
      closed = onLoop(loop, this::closeUnused);
    } catch (RdmaException ended) {
      LOG.debug("closing {} without its event loop: {}", this, ended.getMessage());
      closed = closeUnused();
    }
    if (closed != null) {
      Future<?> loopEnded = closed.usesOwnLoop() ? runtime.ownLoop().release() : null;
      awaitFreePort(loop, loopEnded);
    }
  }

  /**
   * A closed socket that a selector knows gives its port back in the selector's next round only.
   */
  private void awaitFreePort(EventLoop loop, Future<?> loopEnded) {
    if (loop.inEventLoop()) {
      return;
    }
    if (loopEnded != null) {
      loopEnded.awaitUninterruptibly(WAIT_SECONDS, TimeUnit.SECONDS);
    } else if (loop instanceof IoEventLoop io && io.isCompatible(NioIoHandle.class)) {
      try {
        if (!FreedPort.await(loop, TimeUnit.SECONDS.toNanos(WAIT_SECONDS))) {
          LOG.warn("the event loop of {} does not run: its port is not free yet", this);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isUnused() {
    return open != null && uses == 0 && open.engine().objectCount() == 0;
  }

  private synchronized OpenDevice closeUnused() {
    if (!isUnused()) {
      return null;
    }
    OpenDevice closing = open;
    open = null;
    asyncEvents.closed();
    closing.close();
    LOG.debug("closed {}", this);
    return closing;
  }

  private static <T> T onLoop(EventLoop loop, Supplier<T> task) {
    if (loop.inEventLoop()) {
      return task.get();
    }
    CompletableFuture<T> done = new CompletableFuture<>();
    try {
      loop.execute(
          () -> {
            if (!done.isDone()) {
              try {
                done.complete(task.get());
              } catch (RuntimeException failure) {
                done.completeExceptionally(failure);
              }
            }
          });
      return done.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // Made in another thread, but thrown on for this one's caller.
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      done.cancel(false);
      throw SoftErrors.of("open", Errno.EINTR, "waiting for an event loop");
    } catch (TimeoutException | RejectedExecutionException e) {
      done.cancel(false);
      throw SoftErrors.of("open", Errno.ETIMEDOUT, "the event loop does not run");
    }
  }

  private OpenDevice opened() {
    OpenDevice now = open;
    if (now == null) {
      throw new IllegalStateException(this + " is not open");
    }
    return now;
  }

  /** Whether the JVM would say goodbye to peers when it ends now; for tests. */
  boolean hasExitHook() {
    return opened().farewell().isRegistered();
  }

  /** The transport of the open device. */
  Engine engine() {
    return opened().engine();
  }

  /** The connection manager of the open device; used under its lock. */
  CmAgent agent() {
    return opened().agent();
  }

  /** Runs something with a result under the lock of the open device. */
  <T> T call(Supplier<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    engine().execute(() -> result.complete(task.get()));
    return result.join();
  }

  /** Runs a task under the lock of the device, or not at all when it is closed. */
  void executeIfOpen(Runnable task) {
    OpenDevice now = open;
    if (now != null) {
      now.engine().execute(task);
    }
  }

  /** Whether anybody may answer at an address; only loopback addresses tell for sure. */
  boolean isAnybodyAt(InetAddress peer) {
    return !peer.isLoopbackAddress()
        || runtime.isOpen(peer)
        || runtime.addresses().isAnybodyAt(peer, runtime.options().getUdpPort());
  }

  int maxResponderResources() {
    return Math.min(runtime.options().getDevice().maxResponderResources(), 255);
  }

  int maxInitiatorDepth() {
    return Math.min(runtime.options().getDevice().maxInitiatorDepth(), 255);
  }

  /** The path MTU in bytes: the interface's or what the options allow. */
  int pathMtu() {
    OpenDevice now = open;
    int link = now == null ? InterfaceMtu.pathMtu(address) : now.engine().link().maxPathMtu();
    return Math.min(link, runtime.options().getDevice().pathMtu());
  }

  /** The code 1..5 of 256..4096 bytes. */
  static int mtuCode(int bytes) {
    return Integer.numberOfTrailingZeros(bytes) - 7;
  }

  static int mtuBytes(int code) {
    return 128 << code;
  }

  @Override
  public String name() {
    return "soft-" + address.getHostAddress();
  }

  @Override
  public String driver() {
    return "soft";
  }

  @Override
  public TransportType transport() {
    return TransportType.ROCE;
  }

  @Override
  public DeviceAttributes attributes() {
    return runtime.options().getDevice().attributes(guid);
  }

  @Override
  public PortAttributes queryPort(int port) {
    checkPort(port);
    int mtu = pathMtu();
    return new PortAttributes(
        PortAttributes.State.ACTIVE,
        runtime.options().getDevice().pathMtu(),
        mtu,
        GIDS,
        MAX_MESSAGE,
        0,
        true);
  }

  private static void checkPort(int port) {
    if (port < 1 || port > PORTS) {
      throw new IllegalArgumentException("port must be 1.." + PORTS + ", was " + port);
    }
  }

  @Override
  public List<InetAddress> addresses(int port) {
    checkPort(port);
    return List.of(address);
  }

  @Override
  public PortCounters readCounters(int port) {
    checkPort(port);
    return new PortCounters(name(), port, counters.byLabel());
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return making(() -> engine().allocateProtectionDomain(this));
  }

  @Override
  public CompletionChannel createCompletionChannel() {
    return making(() -> engine().createCompletionChannel());
  }

  @Override
  public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
    return making(() -> engine().createCompletionQueue(entries, channel));
  }

  private <T> T making(Supplier<T> maker) {
    acquire(null);
    try {
      return maker.get();
    } finally {
      release();
    }
  }

  @Override
  public AsyncEventQueue asyncEvents() {
    return asyncEvents;
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<T> maker) {
    return type.cast(attachments.computeIfAbsent(type, absent -> maker.get()));
  }

  @Override
  public String toString() {
    return name();
  }
}
