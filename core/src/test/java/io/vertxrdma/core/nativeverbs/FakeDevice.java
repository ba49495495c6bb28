package io.vertxrdma.core.nativeverbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A device of the fake library: its limits, its addresses, its asynchronous events. */
public final class FakeDevice {

  private static final int IPV4_MAPPED = 12;

  private final FakeMemory memory;
  private final String name;
  private final List<byte[]> gids = new ArrayList<>();
  private boolean iwarp;
  private boolean removed;
  private int portState = 4;
  private boolean ethernet = true;
  private final byte[] attributes = new byte[FakeAbi.DEVICE_ATTR_SIZE];

  final long context;
  final long device;
  final FakeDescriptor async = new FakeDescriptor();
  final FakeDescriptor command = new FakeDescriptor();
  final Deque<byte[]> asyncEvents = new ArrayDeque<>();
  int ackedAsync;
  int fetchedAsync;

  FakeDevice(String name, FakeMemory memory, FakeAbi abi, int index) {
    this.memory = memory;
    this.name = name;
    this.device = memory.allocate(FakeAbi.DEVICE_SIZE);
    this.context = memory.allocate(FakeAbi.CONTEXT_SIZE);
    abi.write(device, FakeAbi.DEVICE_NODE_TYPE, 1);
    memory.write(device + FakeAbi.DEVICE_NAME, (name + "\0").getBytes(StandardCharsets.US_ASCII));
    abi.write(context, FakeAbi.CONTEXT_DEVICE, device);
    abi.write(context, FakeAbi.CONTEXT_CMD_FD, command.number());
    abi.write(context, FakeAbi.CONTEXT_ASYNC_FD, async.number());
    // Function pointers nobody may dereference; each device has its own, as drivers do.
    abi.write(context, FakeAbi.CONTEXT_POLL_CQ, function("poll_cq", index));
    abi.write(context, FakeAbi.CONTEXT_REQ_NOTIFY, function("req_notify_cq", index));
    abi.write(context, FakeAbi.CONTEXT_POST_SRQ, function("post_srq_recv", index));
    abi.write(context, FakeAbi.CONTEXT_POST_SEND, function("post_send", index));
    abi.write(context, FakeAbi.CONTEXT_POST_RECV, function("post_recv", index));
    byte[] linkLocal = new byte[16];
    linkLocal[0] = (byte) 0xFE;
    linkLocal[1] = (byte) 0x80;
    linkLocal[15] = (byte) (index + 1);
    gids.add(linkLocal);
    attribute(64, Long.reverseBytes(0x8102030405060700L + index), 8); // node_guid, big-endian
    attribute(80, 1L << 40, 8); // max_mr_size
    attribute(96, 0xFFFFFF, 4); // vendor_id
    attribute(108, 65536, 4); // max_qp
    attribute(112, 16384, 4); // max_qp_wr
    attribute(120, 32, 4); // max_sge
    attribute(128, 65536, 4); // max_cq
    attribute(132, 32767, 4); // max_cqe
    attribute(136, 65536, 4); // max_mr
    attribute(164, 1, 4); // atomic_cap
    attribute(212, 1024, 4); // max_srq
    attribute(216, 16384, 4); // max_srq_wr
    attribute(227, 1, 1); // phys_port_cnt
    maxQpRdAtom(128);
    maxQpInitRdAtom(128);
    firmware("0.0.0");
  }

  private static long function(String name, int index) {
    return 0x7F00_0000_0000L + index * 0x1000L + (name.hashCode() & 0xFF0L);
  }

  long function(String name) {
    int offset =
        switch (name) {
          case "poll_cq" -> 96;
          case "req_notify_cq" -> 104;
          case "post_srq_recv" -> 168;
          case "post_send" -> 208;
          default -> 216;
        };
    return memory.i64(context + offset);
  }

  /** {@code max_qp_rd_atom}; the four bytes as they are, so 0x80000000 can be given. */
  public FakeDevice maxQpRdAtom(int value) {
    return attribute(144, value, 4);
  }

  /** {@code max_qp_init_rd_atom}. */
  public FakeDevice maxQpInitRdAtom(int value) {
    return attribute(156, value, 4);
  }

  /** {@code max_cqe}. */
  public FakeDevice maxCqe(int value) {
    return attribute(132, value, 4);
  }

  /** {@code max_qp_wr}. */
  public FakeDevice maxQpWr(int value) {
    return attribute(112, value, 4);
  }

  /** {@code max_mr_size}. */
  public FakeDevice maxMrSize(long value) {
    return attribute(80, value, 8);
  }

  /** Any other field of {@code ibv_device_attr}, by its offset. */
  public FakeDevice attribute(int offset, long value, int size) {
    ByteBuffer bytes = ByteBuffer.wrap(attributes).order(ByteOrder.nativeOrder());
    switch (size) {
      case 1 -> bytes.put(offset, (byte) value);
      case 4 -> bytes.putInt(offset, (int) value);
      default -> bytes.putLong(offset, value);
    }
    return this;
  }

  /** {@code fw_ver}. */
  public FakeDevice firmware(String version) {
    byte[] text = version.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, attributes, 0, text.length);
    return this;
  }

  /** Adds an IP address to the GID table of port 1. */
  public FakeDevice address(String ip) {
    try {
      byte[] address = InetAddress.getByName(ip).getAddress();
      byte[] gid = new byte[16];
      if (address.length == 4) {
        gid[10] = (byte) 0xFF;
        gid[11] = (byte) 0xFF;
        System.arraycopy(address, 0, gid, IPV4_MAPPED, 4);
      } else {
        System.arraycopy(address, 0, gid, 0, 16);
      }
      gids.add(gid);
      return this;
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an IP address, no name: " + ip, e);
    }
  }

  /** Makes it an iWARP device: private data keeps its length, no InfiniBand CM. */
  public FakeDevice iwarp() {
    iwarp = true;
    memory.put(device + FakeAbi.DEVICE_NODE_TYPE.offset(), 4, 4);
    memory.put(device + FakeAbi.DEVICE_TRANSPORT.offset(), 4, 1);
    return this;
  }

  /** Makes its link layer InfiniBand. */
  public FakeDevice infiniband() {
    ethernet = false;
    return this;
  }

  /** {@code ibv_port_state} of port 1; 4 is ACTIVE. */
  public FakeDevice portState(int state) {
    portState = state;
    return this;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  boolean isIwarp() {
    return iwarp;
  }

  boolean isRemoved() {
    return removed;
  }

  void remove() {
    removed = true;
  }

  /** As librdmacm keeps it: cut to a byte, so that 256 becomes 0. */
  int cachedResponderMax() {
    return attributes[144] & 0xFF;
  }

  int cachedInitiatorMax() {
    return attributes[156] & 0xFF;
  }

  int maxCqe() {
    return ByteBuffer.wrap(attributes).order(ByteOrder.nativeOrder()).getInt(132);
  }

  InetAddress firstAddress() {
    for (byte[] gid : gids.subList(1, gids.size())) {
      try {
        // The JDK turns the mapped form into an IPv4 address by itself.
        return InetAddress.getByAddress(gid);
      } catch (UnknownHostException e) {
        throw new AssertionError("16 bytes are an address", e);
      }
    }
    return null;
  }

  boolean has(InetAddress address) {
    byte[] bytes = address.getAddress();
    return gids.stream()
        .anyMatch(
            gid -> {
              try {
                return Arrays.equals(InetAddress.getByAddress(gid).getAddress(), bytes);
              } catch (UnknownHostException e) {
                throw new AssertionError(e);
              }
            });
  }

  int query(long target) {
    memory.write(target, attributes);
    return 0;
  }

  int queryPort(int port, long target) {
    if (port != 1) {
      return 22;
    }
    memory.write(target, new byte[FakeAbi.PORT_ATTR_SIZE]);
    memory.put(target, 4, portState);
    memory.put(target + 4, 4, 5);
    memory.put(target + 8, 4, 3);
    memory.put(target + 12, 4, gids.size() + 3);
    memory.put(target + 20, 4, 0x80000000L);
    memory.put(target + 34, 2, ethernet ? 0 : 7);
    memory.put(target + 46, 1, ethernet ? 2 : 1);
    return 0;
  }

  int gidCount() {
    return gids.size();
  }

  /** The address of an entry of the GID table. */
  InetAddress gidAddress(int index) {
    try {
      return InetAddress.getByAddress(gids.get(index));
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes are an address", e);
    }
  }

  boolean queryGid(int port, int index, long target) {
    if (port != 1 || index < 0 || index >= gids.size() + 3) {
      return false;
    }
    memory.write(target, index < gids.size() ? gids.get(index) : new byte[16]);
    return true;
  }
}
