package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.TransportType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** An {@code ibv_context} that librdmacm opened and that stays open as long as the provider. */
final class NativeDeviceContext implements DeviceContext {

  /** Empty entries after which the rest of a GID table counts as empty; tables have up to 1024. */
  private static final int EMPTY_GIDS = 16;

  private static final int NAME_LIMIT = 64;
  private static final int TRANSPORT_IB = 0;
  private static final int TRANSPORT_IWARP = 1;
  private static final int LINK_LAYER_ETHERNET = 2;

  final NativeCalls calls;
  // A driver sets its functions once, when the context is opened.
  final long pollFunction;
  final long requestNotifyFunction;
  final long postSendFunction;
  final long postReceiveFunction;
  final long postSharedReceiveFunction;
  private final long context;
  private final String name;
  private final String driver;
  private final DeviceAttributes attributes;
  private final TransportType transport;
  private final Map<Long, Object> elements = new ConcurrentHashMap<>();
  private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>();
  private NativeAsyncEventQueue asyncEvents;

  NativeDeviceContext(NativeRuntime runtime, long context) {
    this.calls = runtime.calls;
    this.context = context;
    this.pollFunction = Memory.getLong(context + Layout.CONTEXT_POLL_CQ);
    this.requestNotifyFunction = Memory.getLong(context + Layout.CONTEXT_REQ_NOTIFY_CQ);
    this.postSendFunction = Memory.getLong(context + Layout.CONTEXT_POST_SEND);
    this.postReceiveFunction = Memory.getLong(context + Layout.CONTEXT_POST_RECV);
    this.postSharedReceiveFunction = Memory.getLong(context + Layout.CONTEXT_POST_SRQ_RECV);
    long device = Memory.getLong(context + Layout.CONTEXT_DEVICE);
    this.name = Memory.getString(calls.ibv_get_device_name(device), NAME_LIMIT);
    this.driver = DriverNames.of(name);
    this.attributes = queryAttributes();
    this.transport = transport(Memory.getInt(device + Layout.DEVICE_TRANSPORT_TYPE));
  }

  private DeviceAttributes queryAttributes() {
    try (Memory.Block block = Memory.allocate(Layout.DEVICE_ATTR_SIZE)) {
      long attr = block.address();
      int result = calls.ibv_query_device(context, attr);
      NativeErrors.check(calls, "ibv_query_device", result, "device " + name);
      return new DeviceAttributes(
          Memory.getString(attr + Layout.DEVICE_ATTR_FW_VER, NAME_LIMIT),
          bigEndianLong(attr + Layout.DEVICE_ATTR_NODE_GUID),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_VENDOR_ID),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_VENDOR_PART_ID),
          unsignedOrMax(Memory.getLong(attr + Layout.DEVICE_ATTR_MAX_MR_SIZE)),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_QP),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_QP_WR),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_SGE),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_CQ),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_CQE),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_MR),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_QP_RD_ATOM),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_QP_INIT_RD_ATOM),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_SRQ),
          Memory.getUnsignedInt(attr + Layout.DEVICE_ATTR_MAX_SRQ_WR),
          Memory.getInt(attr + Layout.DEVICE_ATTR_ATOMIC_CAP) != 0,
          Memory.getUnsignedByte(attr + Layout.DEVICE_ATTR_PHYS_PORT_CNT));
    }
  }

  /** Devices without a limit report 2^64 - 1, which is no long. */
  private static long unsignedOrMax(long value) {
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static long bigEndianLong(long address) {
    long value = 0;
    for (byte octet : Memory.getBytes(address, Long.BYTES)) {
      value = value << 8 | octet & 0xFF;
    }
    return value;
  }

  private TransportType transport(int transportType) {
    return switch (transportType) {
      case TRANSPORT_IB -> queryPort(1).ethernet() ? TransportType.ROCE : TransportType.INFINIBAND;
      case TRANSPORT_IWARP -> TransportType.IWARP;
      default -> TransportType.OTHER;
    };
  }

  long context() {
    return context;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String driver() {
    return driver;
  }

  @Override
  public TransportType transport() {
    return transport;
  }

  @Override
  public DeviceAttributes attributes() {
    return attributes;
  }

  @Override
  public PortAttributes queryPort(int port) {
    checkPort(port);
    try (Memory.Block block = Memory.allocate(Layout.PORT_ATTR_ALLOCATE)) {
      long attr = block.address();
      int result = calls.ibv_query_port(context, (byte) port, attr);
      NativeErrors.check(calls, "ibv_query_port", result, "device " + name + " port " + port);
      return new PortAttributes(
          PortAttributes.State.of(Memory.getInt(attr + Layout.PORT_ATTR_STATE)),
          Layout.mtuBytes(Memory.getInt(attr + Layout.PORT_ATTR_MAX_MTU)),
          Layout.mtuBytes(Memory.getInt(attr + Layout.PORT_ATTR_ACTIVE_MTU)),
          Memory.getInt(attr + Layout.PORT_ATTR_GID_TBL_LEN),
          Memory.getUnsignedInt(attr + Layout.PORT_ATTR_MAX_MSG_SZ),
          Memory.getUnsignedShort(attr + Layout.PORT_ATTR_LID),
          Memory.getUnsignedByte(attr + Layout.PORT_ATTR_LINK_LAYER) == LINK_LAYER_ETHERNET);
    }
  }

  private void checkPort(int port) {
    if (port < 1 || port > attributes.portCount()) {
      throw new IllegalArgumentException(
          "port must be 1.." + attributes.portCount() + ", was " + port);
    }
  }

  @Override
  public PortCounters readCounters(int port) {
    checkPort(port);
    return SysfsCounters.ofSystem().read(name, port);
  }

  @Override
  public List<InetAddress> addresses(int port) {
    int entries = queryPort(port).gidTableLength();
    Set<InetAddress> found = new LinkedHashSet<>();
    try (Memory.Block gid = Memory.allocate(16)) {
      int empty = 0;
      for (int i = 0; i < entries && empty < EMPTY_GIDS; i++) {
        InetAddress address =
            calls.ibv_query_gid(context, (byte) port, i, gid.address()) == 0
                ? decode(Memory.getBytes(gid.address(), 16))
                : null;
        if (address == null) {
          empty++;
        } else {
          empty = 0;
          found.add(address);
        }
      }
    }
    return new ArrayList<>(found);
  }

  /** A GID is an IPv6 address or an IPv4 one mapped into it; null for an empty entry. */
  private static InetAddress decode(byte[] gid) {
    for (byte octet : gid) {
      if (octet != 0) {
        try {
          return InetAddress.getByAddress(gid);
        } catch (UnknownHostException e) {
          throw new AssertionError("16 bytes always are an address", e);
        }
      }
    }
    return null;
  }

  /** Whether one of the ports has the address. */
  boolean owns(InetAddress address) {
    byte[] wanted = address.getAddress();
    for (int port = 1; port <= attributes.portCount(); port++) {
      for (InetAddress own : addresses(port)) {
        // By bytes: the scope of an IPv6 address is not in the GID.
        if (Arrays.equals(own.getAddress(), wanted)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return NativeProtectionDomain.create(this);
  }

  @Override
  public CompletionChannel createCompletionChannel() {
    return NativeCompletionChannel.create(this);
  }

  void checkCompletionQueueEntries(int entries) {
    if (entries < 1 || entries > attributes.maxCompletionQueueEntries()) {
      throw new IllegalArgumentException(
          "entries must be 1.."
              + attributes.maxCompletionQueueEntries()
              + " on device "
              + name
              + ", was "
              + entries);
    }
  }

  @Override
  public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
    checkCompletionQueueEntries(entries);
    return NativeCompletionQueue.create(
        this, entries, channel == null ? null : own(NativeCompletionChannel.class, channel));
  }

  @Override
  public synchronized AsyncEventQueue asyncEvents() {
    if (asyncEvents == null) {
      asyncEvents = new NativeAsyncEventQueue(this);
    }
    return asyncEvents;
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<T> maker) {
    return type.cast(attachments.computeIfAbsent(type, absent -> maker.get()));
  }

  /**
   * An argument as an object of this device.
   *
   * @throws IllegalArgumentException when another provider or device made it
   */
  <T extends NativeObject & DeviceObject> T own(Class<T> type, Object object) {
    if (!type.isInstance(object) || type.cast(object).device() != this) {
      throw new IllegalArgumentException(object + " does not belong to device " + name);
    }
    return type.cast(object);
  }

  /** Something made on a device. */
  interface DeviceObject {
    DeviceContext device();
  }

  /** Makes an object known to asynchronous events. */
  void addElement(long address, Object element) {
    elements.put(address, element);
  }

  void removeElement(long address, Object element) {
    elements.remove(address, element);
  }

  Object element(long address) {
    return elements.get(address);
  }

  @Override
  public String toString() {
    return name;
  }
}
