package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.soft.transport.SoftQueuePair;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A communication identifier with the states and refusals of the kernel's (core/cma.c).
 *
 * <p>Calls hold the id's monitor, which comes before the lock of a device, never after it. Devices
 * are opened and given back outside of both.
 */
final class SoftCmId implements CmId {

  private final SoftRuntime runtime;
  private final IdEvents events;
  private final IdAddress address;
  private final PortSpace portSpace;
  private final Object lock = new Object();
  private Conversation conversation;
  private boolean sharedReceiveQueue;
  private boolean destroyed;
  private volatile SoftQueuePair queuePair;
  private volatile boolean closed;
  private volatile Object attachment;

  /** A new id of an application. */
  SoftCmId(SoftEventChannel channel, PortSpace portSpace) {
    channel.acquireId();
    this.runtime = channel.runtime();
    this.events = new IdEvents(this, channel);
    this.address = new IdAddress(runtime, portSpace);
    this.portSpace = portSpace;
  }

  /** The id of a request; takes over one use of the device. */
  SoftCmId(
      SoftCmId listener, SoftDevice device, InetSocketAddress local, InetSocketAddress remote) {
    this(listener.events.channel(), listener.portSpace);
    address.requestArrived(device, local, remote);
  }

  void setConversation(Conversation conversation) {
    this.conversation = conversation;
  }

  IdEvents events() {
    return events;
  }

  /** Runs something that must not meet a close; null if the id is closed. */
  <T> T whileOpen(Supplier<T> task) {
    synchronized (lock) {
      return closed ? null : task.get();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
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
    synchronized (lock) {
      requireOpen();
      address.setOption(option, value);
    }
  }

  /** The local ACK timeout code that was set, or else the given one. */
  int ackTimeout(int otherwise) {
    return address.option(CmOption.ACK_TIMEOUT, otherwise) & 31;
  }

  boolean usesSharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  private EventLoop eventLoop() {
    return events.channel().eventLoop();
  }

  @Override
  public void bind(InetSocketAddress local) {
    requireResolved(local);
    requireOpen();
    SoftDevice opened =
        local.getAddress().isAnyLocalAddress()
            ? null
            : address.open("rdma_bind_addr", local, eventLoop());
    keepIfDone(opened == null ? List.of() : List.of(opened), () -> address.bind(local, opened));
  }

  private static void requireResolved(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unresolved address " + address);
    }
  }

  /** Runs a step that takes over devices; they are released if it fails. */
  private void keepIfDone(List<SoftDevice> opened, Runnable step) {
    boolean done = false;
    try {
      synchronized (lock) {
        requireOpen();
        step.run();
        done = true;
      }
    } finally {
      if (!done) {
        opened.forEach(SoftDevice::release);
      }
    }
  }

  @Override
  public void listen(int backlog) {
    List<InetAddress> behind;
    synchronized (lock) {
      requireOpen();
      behind = address.behindWildcard();
    }
    List<SoftDevice> opened = address.openAll(behind, eventLoop());
    keepIfDone(opened, () -> address.listen(this, backlog, opened));
  }

  @Override
  public void resolveAddress(
      InetSocketAddress source, InetSocketAddress destination, int timeoutMillis) {
    requireTimeout(timeoutMillis);
    requireResolved(destination);
    if (source != null) {
      requireResolved(source);
    }
    InetSocketAddress from;
    synchronized (lock) {
      requireOpen();
      from = address.source(source);
    }
    SoftDevice opened = address.openTowards(from, destination, eventLoop());
    keepIfDone(
        opened == null ? List.of() : List.of(opened),
        () -> address.resolve(source, destination, opened));
    events.post(
        opened == null
            ? events.event(CmEventType.ADDR_ERROR, -Errno.ENODEV.number(), ConnParam.ZERO)
            : resolved());
  }

  private PendingEvent resolved() {
    return new PendingEvent(this) {
      @Override
      CmEvent read() {
        return whileOpen(
            () -> {
              address.resolved();
              return new CmEvent(
                  CmEventType.ADDR_RESOLVED.code(), 0, 0, SoftCmId.this, null, ConnParam.ZERO);
            });
      }
    };
  }

  @Override
  public void resolveRoute(int timeoutMillis) {
    requireTimeout(timeoutMillis);
    requireOpen();
    synchronized (lock) {
      requireOpen();
      address.advance("rdma_resolve_route", IdState.ADDRESS_RESOLVED, IdState.ROUTE_RESOLVED);
    }
    events.post(events.event(CmEventType.ROUTE_RESOLVED, 0, ConnParam.ZERO));
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
    synchronized (lock) {
      requireOpen();
      SoftDevice device = address.device();
      if (device == null) {
        throw new IllegalStateException(
            this + " has no device yet: a queue pair needs ADDR_RESOLVED or a request's id");
      }
      if (softQueuePair() != null) {
        throw new IllegalStateException(this + " already has " + queuePair);
      }
      boolean datagrams = portSpace == PortSpace.UDP;
      if (datagrams != (init.type() == QueuePairType.UD)) {
        throw SoftErrors.invalid("rdma_create_qp", init.type() + " in port space " + portSpace);
      }
      SoftQueuePair made = device.engine().createQueuePair(pd, init);
      if (datagrams) {
        made.activate(UdParam.DEFAULT_QUEUE_KEY);
      }
      sharedReceiveQueue = init.sharedReceiveQueue() != null;
      queuePair = made;
      return made;
    }
  }

  /** The queue pair, null when there is none or it was closed. */
  SoftQueuePair softQueuePair() {
    SoftQueuePair pair = queuePair;
    return pair == null || pair.isClosed() ? null : pair;
  }

  /** Datagrams need no queue pair of the id's own, an answer just the number of one. */
  private SoftQueuePair requireQueuePair(String operation, boolean numberGiven) {
    SoftQueuePair pair = softQueuePair();
    if (pair == null && !(portSpace == PortSpace.UDP && numberGiven)) {
      throw new IllegalStateException(operation + ": " + this + " has no queue pair");
    }
    return pair;
  }

  @Override
  public void connect(ConnParam parameters) {
    requireOpen();
    synchronized (lock) {
      requireOpen();
      SoftQueuePair pair = requireQueuePair("rdma_connect", true);
      address.require("rdma_connect", IdState.ROUTE_RESOLVED);
      conversation =
          portSpace == PortSpace.UDP
              ? ActiveDatagram.start(this, address, parameters)
              : ActiveConnection.start(
                  this,
                  address,
                  parameters,
                  pair,
                  ackTimeout(runtime.options().getConnectionManagement().ackTimeout()));
      address.advance("rdma_connect", IdState.ROUTE_RESOLVED, IdState.CONNECT);
    }
  }

  @Override
  public void accept(ConnParam parameters) {
    requireOpen();
    synchronized (lock) {
      requireOpen();
      SoftQueuePair pair = requireQueuePair("rdma_accept", parameters.queuePairNumber() != 0);
      conversation("rdma_accept").accept(parameters, pair);
    }
  }

  @Override
  public void reject(byte[] privateData) {
    byte[] data = privateData == null ? Conversation.NO_DATA : privateData;
    if (data.length > 255) {
      throw new IllegalArgumentException(
          "private data of " + data.length + " bytes; the length field holds 0..255");
    }
    requireOpen();
    synchronized (lock) {
      requireOpen();
      conversation("rdma_reject").reject(data);
    }
  }

  private Conversation conversation(String operation) {
    if (conversation == null) {
      throw SoftErrors.invalid(operation, "the cm id is " + address.state());
    }
    return conversation;
  }

  @Override
  public void disconnect() {
    requireOpen();
    synchronized (lock) {
      requireOpen();
      SoftQueuePair pair = softQueuePair();
      if (pair != null) {
        pair.toError();
      }
      if (conversation != null) {
        conversation.disconnect();
      }
    }
  }

  @Override
  public void migrate(CmEventChannel target) {
    if (!(target instanceof SoftEventChannel destination) || destination.runtime() != runtime) {
      throw new IllegalArgumentException("a channel of another provider: " + target);
    }
    destination.acquireId();
    SoftEventChannel release = destination;
    try {
      requireOpen();
      synchronized (lock) {
        requireOpen();
        release = events.moveTo(destination);
      }
    } finally {
      release.releaseId();
    }
  }

  @Override
  public DeviceContext device() {
    requireOpen();
    return address.device();
  }

  @Override
  public InetSocketAddress localAddress() {
    synchronized (lock) {
      requireOpen();
      return address.local();
    }
  }

  @Override
  public InetSocketAddress remoteAddress() {
    synchronized (lock) {
      requireOpen();
      return address.remote();
    }
  }

  @Override
  public int port() {
    requireOpen();
    return address.device() == null ? 0 : 1;
  }

  @Override
  public QueuePair queuePair() {
    return softQueuePair();
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
    // Before the lock: calls that come now throw at once and don't wait for the end.
    closed = true;
    List<SoftDevice> unused;
    synchronized (lock) {
      if (destroyed) {
        return;
      }
      SoftQueuePair pair = softQueuePair();
      if (pair != null) {
        pair.close();
      }
      destroyed = true;
      // First the port, so that no request arrives any more.
      unused = address.close();
      if (conversation != null) {
        conversation.destroy();
      }
      events.close().releaseId();
    }
    unused.forEach(SoftDevice::release);
  }

  @Override
  public String toString() {
    return "cm id 0x"
        + Integer.toHexString(System.identityHashCode(this))
        + " ("
        + portSpace
        + (closed ? ", closed)" : ")");
  }
}
