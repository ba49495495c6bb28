package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * An {@code ibv_qp} made by {@code rdma_create_qp}. Its cold calls hold the lock of its id, whose
 * close destroys it first; posting holds nothing.
 */
final class NativeQueuePair extends NativeObject implements QueuePair, NativeReceiveBatch.Target {

  private static final String KIND = "queue pairs";

  // enum ibv_qp_attr_mask
  private static final int STATE = 1;
  private static final int PATH_MTU = 1 << 8;
  private static final int TIMEOUT = 1 << 9;
  private static final int RETRY_CNT = 1 << 10;
  private static final int RNR_RETRY = 1 << 11;
  private static final int MAX_QP_RD_ATOMIC = 1 << 13;
  private static final int MIN_RNR_TIMER = 1 << 15;
  private static final int MAX_DEST_RD_ATOMIC = 1 << 17;
  private static final int DEST_QPN = 1 << 20;
  private static final int QUERY =
      STATE
          | PATH_MTU
          | TIMEOUT
          | RETRY_CNT
          | RNR_RETRY
          | MAX_QP_RD_ATOMIC
          | MIN_RNR_TIMER
          | MAX_DEST_RD_ATOMIC
          | DEST_QPN;

  private final NativeCmId id;
  private final long idPointer;
  private final NativeDeviceContext device;
  private final NativeProtectionDomain domain;
  private final Set<UseCount> used;
  private final QueuePairType type;
  private final QueuePairCapabilities capabilities;
  private final int number;
  private final int maxDatagram;

  private NativeQueuePair(
      NativeCmId id,
      long idPointer,
      long pointer,
      int number,
      NativeDeviceContext device,
      NativeProtectionDomain domain,
      Set<UseCount> used,
      QueuePairType type,
      QueuePairCapabilities capabilities) {
    super(
        device.calls,
        "queue pair 0x" + Integer.toHexString(number) + " of " + device.name(),
        pointer);
    this.id = id;
    this.idPointer = idPointer;
    this.device = device;
    this.domain = domain;
    this.used = used;
    this.type = type;
    this.capabilities = capabilities;
    this.number = number;
    this.maxDatagram = type == QueuePairType.UD ? maxDatagram(device, idPointer) : 0;
  }

  /** The MTU of the id's port, which is the most one datagram holds. */
  private static int maxDatagram(NativeDeviceContext device, long idPointer) {
    return device.queryPort(Memory.getUnsignedByte(idPointer + Layout.ID_PORT_NUM)).activeMtu();
  }

  /** Called by the id under its lock. */
  static NativeQueuePair create(
      NativeCmId id,
      long idPointer,
      NativeDeviceContext device,
      ProtectionDomain pd,
      QueuePairInit init) {
    NativeProtectionDomain domain = device.own(NativeProtectionDomain.class, pd);
    NativeCompletionQueue sends = device.own(NativeCompletionQueue.class, init.sendQueue());
    NativeCompletionQueue receives = device.own(NativeCompletionQueue.class, init.receiveQueue());
    NativeSharedReceiveQueue shared =
        init.sharedReceiveQueue() == null
            ? null
            : device.own(NativeSharedReceiveQueue.class, init.sharedReceiveQueue());
    Set<UseCount> used = new LinkedHashSet<>();
    used.add(domain.users);
    used.add(sends.users);
    used.add(receives.users);
    if (shared != null) {
      used.add(shared.users);
    }
    UseCount.acquireAll(used, KIND);
    try (Memory.Block block = Memory.allocate(Layout.QP_INIT_ATTR_SIZE)) {
      long attr = block.address();
      Memory.putLong(attr + Layout.QP_INIT_ATTR_SEND_CQ, sends.pointer());
      Memory.putLong(attr + Layout.QP_INIT_ATTR_RECV_CQ, receives.pointer());
      Memory.putLong(attr + Layout.QP_INIT_ATTR_SRQ, shared == null ? 0 : shared.pointer());
      write(attr + Layout.QP_INIT_ATTR_CAP, init.capabilities());
      Memory.putInt(attr + Layout.QP_INIT_ATTR_QP_TYPE, init.type().code());
      Memory.putInt(attr + Layout.QP_INIT_ATTR_SQ_SIG_ALL, init.signalAll() ? 1 : 0);
      int result = device.calls.rdma_create_qp(idPointer, domain.pointer(), attr);
      if (result != 0) {
        throw refused(NativeErrors.number(device.calls, result), device, init.capabilities());
      }
      long pointer = Memory.getLong(idPointer + Layout.ID_QP);
      try {
        LayoutCheck.queuePair(pointer, device.context(), sends.pointer(), receives.pointer());
        return new NativeQueuePair(
                id,
                idPointer,
                pointer,
                Memory.getInt(pointer + Layout.QP_QP_NUM),
                device,
                domain,
                used,
                init.type(),
                read(attr + Layout.QP_INIT_ATTR_CAP))
            .register(pointer);
      } catch (RuntimeException failure) {
        id.destroyQueuePair();
        throw failure;
      }
    } catch (RuntimeException failure) {
      UseCount.releaseAll(used, KIND);
      throw failure;
    }
  }

  private NativeQueuePair register(long pointer) {
    device.addElement(pointer, this);
    return this;
  }

  private static void write(long cap, QueuePairCapabilities wanted) {
    Memory.putInt(cap, wanted.maxSendWorkRequests());
    Memory.putInt(cap + 4, wanted.maxReceiveWorkRequests());
    Memory.putInt(cap + 8, wanted.maxSendScatterGather());
    Memory.putInt(cap + 12, wanted.maxReceiveScatterGather());
    Memory.putInt(cap + 16, wanted.maxInlineData());
  }

  private static QueuePairCapabilities read(long cap) {
    return new QueuePairCapabilities(
        Memory.getInt(cap),
        Memory.getInt(cap + 4),
        Memory.getInt(cap + 8),
        Memory.getInt(cap + 12),
        Memory.getInt(cap + 16));
  }

  private static RdmaException refused(
      int errno, NativeDeviceContext device, QueuePairCapabilities asked) {
    String about =
        "asked for "
            + asked
            + "; device "
            + device.name()
            + " allows "
            + device.attributes().maxQueuePairWorkRequests()
            + " work requests, "
            + device.attributes().maxScatterGather()
            + " scatter/gather entries, "
            + device.attributes().maxQueuePairs()
            + " queue pairs";
    if (errno == Errno.ENOMEM.number()) {
      about += "; locked memory limit (ulimit -l) " + NativeErrors.lockedMemoryLimit();
    }
    return RdmaException.ofErrno("rdma_create_qp", errno, about);
  }

  @Override
  public int number() {
    pointer();
    return number;
  }

  @Override
  public QueuePairType type() {
    return type;
  }

  @Override
  public QueuePairCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public QueuePairAttributes query() {
    try (Memory.Block block = Memory.allocate(Layout.QP_ATTR_SIZE + Layout.QP_INIT_ATTR_SIZE)) {
      long attr = block.address();
      synchronized (id.lock()) {
        int result = calls.ibv_query_qp(pointer(), attr, QUERY, attr + Layout.QP_ATTR_SIZE);
        NativeErrors.check(calls, "ibv_query_qp", result, toString());
      }
      return new QueuePairAttributes(
          QueuePairState.of(Memory.getInt(attr + Layout.QP_ATTR_QP_STATE)),
          Layout.mtuBytes(Memory.getInt(attr + Layout.QP_ATTR_PATH_MTU)),
          Memory.getInt(attr + Layout.QP_ATTR_DEST_QP_NUM),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_MAX_RD_ATOMIC),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_MAX_DEST_RD_ATOMIC),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_MIN_RNR_TIMER),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_TIMEOUT),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_RETRY_CNT),
          Memory.getUnsignedByte(attr + Layout.QP_ATTR_RNR_RETRY));
    }
  }

  @Override
  public void setMinRnrTimer(int code) {
    if (code < 0 || code > 31) {
      throw new IllegalArgumentException("the RNR timer code must be 0..31, was " + code);
    }
    try (Memory.Block attr = Memory.allocate(Layout.QP_ATTR_SIZE)) {
      Memory.putByte(attr.address() + Layout.QP_ATTR_MIN_RNR_TIMER, code);
      modify(attr, MIN_RNR_TIMER, "min_rnr_timer=" + code);
    }
  }

  @Override
  public void toError() {
    try (Memory.Block attr = Memory.allocate(Layout.QP_ATTR_SIZE)) {
      Memory.putInt(attr.address() + Layout.QP_ATTR_QP_STATE, QueuePairState.ERR.ordinal());
      modify(attr, STATE, "state=ERR");
    }
  }

  private void modify(Memory.Block attr, int mask, String about) {
    synchronized (id.lock()) {
      int result = calls.ibv_modify_qp(pointer(), attr.address(), mask);
      NativeErrors.check(calls, "ibv_modify_qp", result, about);
    }
  }

  @Override
  public SendBatch allocateSendBatch(int capacity, int scatterGather) {
    pointer();
    return new NativeSendBatch(this, capacity, scatterGather);
  }

  @Override
  public ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather) {
    pointer();
    return new NativeReceiveBatch(calls, this, capacity, scatterGather);
  }

  NativeProtectionDomain domain() {
    return domain;
  }

  int maxDatagram() {
    return maxDatagram;
  }

  int postSend(long first, long badOut) {
    return calls.post_send(device.postSendFunction, pointer(), first, badOut);
  }

  @Override
  public int postReceive(long first, long badOut) {
    return calls.post_recv(device.postReceiveFunction, pointer(), first, badOut);
  }

  @Override
  public void close() {
    // The id's lock first, as the id's own close has it: one order, no deadlock.
    synchronized (id.lock()) {
      closeOnce();
    }
  }

  @Override
  void destroy(long address) {
    device.removeElement(address, this);
    id.queuePairDestroyed();
    id.destroyQueuePair();
    UseCount.releaseAll(used, KIND);
  }
}
