package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.RdmaException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.LongToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@code rdma_cm_id}. Every native call on it holds its lock, so that no close in another thread
 * can free the memory under a call; a call on a closed id throws before it would wait.
 */
final class NativeCmId implements CmId {

  private static final Logger log = LoggerFactory.getLogger(NativeCmId.class);

  private final NativeRuntime runtime;
  private final NativeCalls calls;
  private final long pointer;
  private final PortSpace portSpace;

  /** Guards all native access, that of the queue pair's cold calls included. */
  private final Object lock = new Object();

  private volatile NativeEventChannel channel;
  private boolean destroyed;
  private volatile boolean closed;
  private volatile NativeQueuePair queuePair;
  private volatile Object attachment;

  /** Takes over a native id that the channel has already counted. */
  NativeCmId(NativeRuntime runtime, NativeEventChannel channel, long pointer, PortSpace portSpace) {
    this.runtime = runtime;
    this.calls = runtime.calls;
    this.channel = channel;
    this.pointer = pointer;
    this.portSpace = portSpace;
    runtime.add(this, pointer);
  }

  /** The id of a request that arrived here, null when this listener is being closed. */
  NativeCmId adopt(long child) {
    NativeEventChannel owner = channel;
    if (closed) {
      return null;
    }
    owner.acquireId();
    return new NativeCmId(runtime, owner, child, portSpace);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  /** A native call on the open id. */
  private int call(LongToIntFunction function) {
    requireOpen();
    synchronized (lock) {
      requireOpen();
      return function.applyAsInt(pointer);
    }
  }

  private void check(String operation, int result) {
    NativeErrors.check(calls, operation, result, "");
  }

  private void checkAddress(String operation, int result, InetSocketAddress address) {
    if (result != 0) {
      throw NativeErrors.address(operation, NativeErrors.number(calls, result), address, runtime);
    }
  }

  @Override
  public PortSpace portSpace() {
    return portSpace;
  }

  @Override
  public void setOption(CmOption option, int value) {
    if (option.length() == 1 && (value < 0 || value > 255)) {
      throw new IllegalArgumentException(option + " must be 0..255, was " + value);
    }
    try (Memory.Block block = Memory.allocate(Long.BYTES)) {
      if (option.length() == 1) {
        Memory.putByte(block.address(), value);
      } else {
        Memory.putInt(block.address(), value);
      }
      int result =
          call(id -> calls.rdma_set_option(id, 0, option.code(), block.address(), option.length()));
      NativeErrors.check(calls, "rdma_set_option", result, option + "=" + value);
    }
  }

  @Override
  public void bind(InetSocketAddress local) {
    try (Memory.Block address = SockAddr.allocate(local)) {
      int result = call(id -> calls.rdma_bind_addr(id, address.address()));
      checkAddress("rdma_bind_addr", result, local);
    }
    if (local.getAddress().isLoopbackAddress() && device() == null) {
      // The kernel takes the address, but no request could ever arrive.
      throw NativeErrors.loopback("rdma_bind_addr", local);
    }
  }

  @Override
  public void listen(int backlog) {
    int result = call(id -> calls.rdma_listen(id, Math.max(backlog, 0)));
    if (result != 0) {
      int errno = NativeErrors.number(calls, result);
      throw NativeErrors.address("rdma_listen", errno, localAddress(), runtime);
    }
  }

  @Override
  public void resolveAddress(
      InetSocketAddress source, InetSocketAddress destination, int timeoutMillis) {
    requireTimeout(timeoutMillis);
    try (Memory.Block from = source == null ? null : SockAddr.allocate(source);
        Memory.Block to = SockAddr.allocate(destination)) {
      long fromAddress = from == null ? 0 : from.address();
      int result =
          call(id -> calls.rdma_resolve_addr(id, fromAddress, to.address(), timeoutMillis));
      if (result != 0) {
        int errno = NativeErrors.number(calls, result);
        boolean aboutSource =
            source != null
                && (errno == Errno.EADDRINUSE.number() || errno == Errno.EADDRNOTAVAIL.number());
        throw NativeErrors.address(
            "rdma_resolve_addr", errno, aboutSource ? source : destination, runtime);
      }
    }
  }

  @Override
  public void resolveRoute(int timeoutMillis) {
    requireTimeout(timeoutMillis);
    int result = call(id -> calls.rdma_resolve_route(id, timeoutMillis));
    if (result != 0) {
      int errno = NativeErrors.number(calls, result);
      throw NativeErrors.address("rdma_resolve_route", errno, remoteAddress(), runtime);
    }
  }

  private static void requireTimeout(int millis) {
    if (millis < 1) {
      throw new IllegalArgumentException("timeoutMillis must be 1 or more, was " + millis);
    }
  }

  @Override
  public QueuePair createQueuePair(ProtectionDomain pd, QueuePairInit init) {
    Objects.requireNonNull(pd, "pd");
    Objects.requireNonNull(init, "init");
    NativeDeviceContext device = device();
    if (device == null) {
      throw new IllegalStateException(
          this + " has no device yet: a queue pair needs ADDR_RESOLVED or a request's id");
    }
    synchronized (lock) {
      requireOpen();
      if (queuePair != null) {
        throw new IllegalStateException(this + " already has " + queuePair);
      }
      queuePair = NativeQueuePair.create(this, pointer, device, pd, init);
      return queuePair;
    }
  }

  /** What the queue pair locks around its native calls. */
  Object lock() {
    return lock;
  }

  /** Called by the queue pair, under the lock. */
  void destroyQueuePair() {
    channel.destroyQueuePair(pointer);
  }

  /** Called by the queue pair, under the lock, before it is destroyed. */
  void queuePairDestroyed() {
    queuePair = null;
  }

  /** Datagrams need no queue pair of the id's own, an answer just the number of one. */
  private void requireQueuePair(String operation, boolean numberGiven) {
    if (queuePair == null && !(portSpace == PortSpace.UDP && numberGiven)) {
      throw new IllegalStateException(operation + ": " + this + " has no queue pair");
    }
  }

  @Override
  public void connect(ConnParam parameters) {
    try (Memory.Block param = ConnParams.allocate(parameters)) {
      int result =
          call(
              id -> {
                requireQueuePair("rdma_connect", true);
                return calls.rdma_connect(id, param.address());
              });
      NativeErrors.check(calls, "rdma_connect", result, parameters.toString());
    }
  }

  @Override
  public void accept(ConnParam parameters) {
    try (Memory.Block param = ConnParams.allocate(parameters)) {
      int result =
          call(
              id -> {
                // Without one, librdmacm 44 dereferences a null pointer of a connection.
                requireQueuePair("rdma_accept", parameters.queuePairNumber() != 0);
                return calls.rdma_accept(id, param.address());
              });
      NativeErrors.check(calls, "rdma_accept", result, parameters.toString());
    }
  }

  @Override
  public void reject(byte[] privateData) {
    byte[] data = privateData == null ? new byte[0] : privateData;
    if (data.length > 255) {
      throw new IllegalArgumentException(
          "private data of " + data.length + " bytes; the length field holds 0..255");
    }
    try (Memory.Block block = Memory.allocate(Math.max(data.length, 1))) {
      Memory.putBytes(block.address(), data);
      long address = data.length == 0 ? 0 : block.address();
      int result = call(id -> calls.rdma_reject(id, address, (byte) data.length));
      NativeErrors.check(calls, "rdma_reject", result, "private data of " + data.length + " bytes");
    }
  }

  @Override
  public void disconnect() {
    int result = call(calls::rdma_disconnect);
    if (result == 0) {
      return;
    }
    int errno = NativeErrors.number(calls, result);
    if (errno != Errno.EINVAL.number()
        && errno != Errno.ENOTCONN.number()
        && errno != Errno.ENXIO.number()) {
      throw RdmaException.ofErrno("rdma_disconnect", errno);
    }
    // The peer, or the removal of the device, was first.
    log.debug("rdma_disconnect of {}: {}", this, Errno.describe(errno));
  }

  @Override
  public void migrate(CmEventChannel target) {
    if (!(target instanceof NativeEventChannel destination)) {
      throw new IllegalArgumentException("a channel of another provider: " + target);
    }
    destination.acquireId();
    NativeEventChannel release = destination;
    try {
      requireOpen();
      synchronized (lock) {
        requireOpen();
        check("rdma_migrate_id", calls.rdma_migrate_id(pointer, destination.pointer()));
        release = channel;
        channel = destination;
      }
    } finally {
      release.releaseId();
    }
  }

  @Override
  public NativeDeviceContext device() {
    requireOpen();
    long context;
    synchronized (lock) {
      requireOpen();
      context = Memory.getLong(pointer + Layout.ID_VERBS);
    }
    return context == 0 ? null : runtime.device(context);
  }

  @Override
  public InetSocketAddress localAddress() {
    return address(Layout.ID_SRC_ADDR);
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return address(Layout.ID_DST_ADDR);
  }

  private InetSocketAddress address(int offset) {
    requireOpen();
    synchronized (lock) {
      requireOpen();
      return SockAddr.decode(pointer + offset);
    }
  }

  @Override
  public int port() {
    return call(id -> Memory.getUnsignedByte(id + Layout.ID_PORT_NUM));
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
    // Before the lock: calls that come now throw at once and don't wait for the destroy.
    closed = true;
    synchronized (lock) {
      if (destroyed) {
        return;
      }
      NativeQueuePair pair = queuePair;
      if (pair != null) {
        pair.closeOnce();
      }
      destroyed = true;
      runtime.remove(this, pointer);
      int result = calls.rdma_destroy_id(pointer);
      channel.releaseId();
      check("rdma_destroy_id", result);
    }
  }

  @Override
  public String toString() {
    return "cm id 0x" + Long.toHexString(pointer) + " (" + portSpace + (closed ? ", closed)" : ")");
  }
}
