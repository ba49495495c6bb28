package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Ah;
import io.vertxrdma.core.nativeverbs.FakeModel.Pd;
import io.vertxrdma.core.nativeverbs.FakeModel.Qp;
import io.vertxrdma.core.nativeverbs.FakeModel.Receive;
import io.vertxrdma.core.nativeverbs.FakeModel.Send;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The fake's datagrams: address handles, and sends that arrive or are lost without a word. */
final class FakeDatagrams {

  static final int UDP_PORT_SPACE = 0x0111;
  static final int UD = 4;
  static final int QUEUE_KEY = 0x0123_4567;

  private static final int EINVAL = 22;
  private static final int GRH = 40;
  private static final int MTU = 1024;
  private static final int SUCCESS = 0;
  private static final int LOCAL_QP_OPERATION = 2;
  private static final int RECV = 128;
  private static final int WITH_GRH = 1;
  private static final int WITH_IMM = 2;

  private final FakeNativeCalls fake;
  private final FakeModel model;
  private final FakeMemory memory;

  FakeDatagrams(FakeNativeCalls fake) {
    this.fake = fake;
    this.model = fake.model;
    this.memory = fake.memory;
  }

  /** A GID of an address. */
  static byte[] gid(InetAddress address) {
    byte[] bytes = address.getAddress();
    byte[] gid = new byte[16];
    if (bytes.length == 4) {
      gid[10] = (byte) 0xFF;
      gid[11] = (byte) 0xFF;
    }
    System.arraycopy(bytes, 0, gid, 16 - bytes.length, bytes.length);
    return gid;
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("4 and 16 bytes are lengths of addresses", e);
    }
  }

  /** The ibv_ah_attr of a path from one id to the other. */
  static byte[] attributes(InetAddress destination, int sourceIndex) {
    ByteBuffer attr = ByteBuffer.allocate(FakeAbi.AH_ATTR_SIZE).order(ByteOrder.nativeOrder());
    attr.put(0, gid(destination));
    attr.put(20, (byte) sourceIndex).put(21, (byte) 64).put(29, (byte) 1).put(30, (byte) 1);
    return attr.array();
  }

  long createAh(long pdPointer, byte[] attr) {
    Pd pd = model.pds.get(pdPointer);
    if (pd == null) {
      fake.misuse("ibv_create_ah", pdPointer);
      return fake.fail(EINVAL, 0);
    }
    if (attr[23] != 0 || attr[31] != 0) {
      fake.violation("ibv_create_ah with garbage in the padding of ibv_ah_attr");
    }
    boolean known = attr[30] == 1 && attr[29] == 1 && (attr[20] & 0xFF) < pd.device.gidCount();
    return known ? add(pd, Arrays.copyOf(attr, 16), attr[20] & 0xFF) : fake.fail(EINVAL, 0);
  }

  private long add(Pd pd, byte[] destination, int sourceIndex) {
    long at = memory.allocate(FakeAbi.AH_SIZE);
    fake.abi.write(at, FakeAbi.AH_CONTEXT, pd.device.context);
    fake.abi.write(at, FakeAbi.AH_PD, pd.pointer);
    model.ahs.put(at, new Ah(at, pd, address(destination), sourceIndex));
    pd.users++;
    return at;
  }

  long createAhFromCompletion(long pdPointer, byte[] completion, byte[] header, int port) {
    Pd pd = model.pds.get(pdPointer);
    if (pd == null) {
      fake.misuse("ibv_create_ah_from_wc", pdPointer);
      return fake.fail(EINVAL, 0);
    }
    int flags = ByteBuffer.wrap(completion).order(ByteOrder.nativeOrder()).getInt(36);
    int version = header[0] >> 4 == 6 ? 6 : header[20] >> 4;
    if (port != 1 || (flags & WITH_GRH) == 0 || version != 4 && version != 6) {
      return fake.fail(version == 4 || version == 6 ? EINVAL : 93, 0);
    }
    byte[] source = version == 4 ? slice(header, 32, 4) : slice(header, 8, 16);
    return add(pd, source, 1);
  }

  private static byte[] slice(byte[] bytes, int at, int length) {
    return Arrays.copyOfRange(bytes, at, at + length);
  }

  int destroyAh(long pointer) {
    Ah ah = model.ahs.remove(pointer);
    if (ah == null) {
      return fake.misuse("ibv_destroy_ah", pointer);
    }
    ah.pd().users--;
    memory.free(pointer);
    return 0;
  }

  /** What a driver does with the handle when a send is posted: it follows the pointer. */
  int post(Qp qp, ByteBuffer request) {
    Ah ah = model.ahs.get(request.getLong(40));
    if (ah == null) {
      fake.violation(
          "crash: post_send with address handle 0x" + Long.toHexString(request.getLong(40)));
      return EINVAL;
    }
    return ah.pd() == qp.pd ? 0 : EINVAL;
  }

  /** Carries out one datagram; the sender never hears of a loss. */
  int transfer(Qp qp, Send send) {
    ByteBuffer wr = ByteBuffer.wrap(send.bytes).order(ByteOrder.nativeOrder());
    Ah ah = model.ahs.get(wr.getLong(40));
    byte[] payload = send.inline != null ? send.inline : fake.data.gather(send.entries);
    Qp target =
        model.qps.values().stream()
            .filter(other -> other.type == UD && other.number == wr.getInt(48))
            .filter(other -> other.device.has(ah.destination()))
            .findFirst()
            .orElse(null);
    if (target != null && payload.length <= MTU && wr.getInt(52) == QUEUE_KEY) {
      deliver(qp, target, ah, send, payload);
    }
    return SUCCESS;
  }

  private void deliver(Qp from, Qp to, Ah ah, Send send, byte[] payload) {
    Receive receive = to.receiveQueue().peek();
    int room =
        receive == null
            ? 0
            : receive.entries().stream().mapToInt(FakeModel.Sge::length).reduce(0, Integer::sum);
    if (to.state != FakeDataPath.RTS || receive == null) {
      return;
    }
    to.receiveQueue().poll();
    if (room < GRH + payload.length) {
      fake.data.completeReceive(to, receive, LOCAL_QP_OPERATION, RECV, 0, 0, 0);
      fake.data.toError(to);
      return;
    }
    byte[] source = from.device.gidAddress(ah.sourceIndex()).getAddress();
    ByteBuffer message = ByteBuffer.allocate(GRH + payload.length);
    if (source.length == 4) {
      message.put(20, (byte) 0x45).put(32, source).put(36, ah.destination().getAddress());
    } else {
      message.put(0, (byte) 0x60).put(8, source).put(24, ah.destination().getAddress());
    }
    message.put(GRH, payload);
    fake.wire.scatter(receive.entries(), message.array());
    boolean immediate = send.opcode == 3;
    to.lastSource = from.number;
    fake.data.completeReceive(
        to,
        receive,
        SUCCESS,
        RECV,
        message.capacity(),
        immediate ? FakeWire.immediate(send) : 0,
        WITH_GRH | (immediate ? WITH_IMM : 0));
  }
}
