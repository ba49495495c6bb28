package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.CompChannel;
import io.vertxrdma.core.nativeverbs.FakeModel.Cq;
import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.Mr;
import io.vertxrdma.core.nativeverbs.FakeModel.Pd;
import io.vertxrdma.core.nativeverbs.FakeModel.Qp;
import io.vertxrdma.core.nativeverbs.FakeModel.Srq;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/** The fake's libibverbs objects: making, changing and destroying them. */
final class FakeVerbs {

  private static final int EBUSY = 16;
  private static final int EINVAL = 22;

  private final FakeNativeCalls fake;
  private final FakeModel model;
  private final FakeMemory memory;
  private final FakeAbi abi;
  private int nextNumber = 0x11;
  private int nextKey = 0x1000;

  FakeVerbs(FakeNativeCalls fake) {
    this.fake = fake;
    this.model = fake.model;
    this.memory = fake.memory;
    this.abi = fake.abi;
  }

  long allocPd(long context) {
    FakeDevice device = fake.device(context, "ibv_alloc_pd");
    if (device == null) {
      return fake.fail(EINVAL, 0);
    }
    Pd pd = new Pd(memory.allocate(FakeAbi.PD_SIZE), device);
    abi.write(pd.pointer, FakeAbi.PD_CONTEXT, context);
    model.pds.put(pd.pointer, pd);
    return pd.pointer;
  }

  int deallocPd(long pointer) {
    Pd pd = model.pds.get(pointer);
    if (pd == null) {
      return fake.misuse("ibv_dealloc_pd", pointer);
    }
    if (pd.users > 0) {
      fake.violation("ibv_dealloc_pd with " + pd.users + " users left");
      return EBUSY;
    }
    model.pds.remove(pointer);
    memory.free(pointer);
    return 0;
  }

  long regMr(long pdPointer, long address, long length, int access) {
    Pd pd = model.pds.get(pdPointer);
    if (pd == null) {
      fake.misuse("ibv_reg_mr", pdPointer);
      return fake.fail(EINVAL, 0);
    }
    if ((access & 0xA) != 0 && (access & 1) == 0 || length == 0) {
      return fake.fail(EINVAL, 0);
    }
    long locked = model.mrs.values().stream().mapToLong(Mr::length).sum();
    if (locked + length > fake.memoryLockLimit) {
      return fake.fail(12, 0);
    }
    int key = nextKey++;
    long at = memory.allocate(FakeAbi.MR_SIZE);
    // High bits in the remote key, so that a sign mistake shows.
    Mr mr = new Mr(at, pd, address, length, access, key, key | 0xF000_0000);
    abi.write(at, FakeAbi.MR_CONTEXT, pd.device.context);
    abi.write(at, FakeAbi.MR_PD, pdPointer);
    abi.write(at, FakeAbi.MR_ADDR, address);
    abi.write(at, FakeAbi.MR_LENGTH, length);
    abi.write(at, FakeAbi.MR_LKEY, mr.lkey());
    abi.write(at, FakeAbi.MR_RKEY, mr.rkey());
    model.mrs.put(at, mr);
    pd.users++;
    return at;
  }

  int deregMr(long pointer) {
    Mr mr = model.mrs.remove(pointer);
    if (mr == null) {
      return fake.misuse("ibv_dereg_mr", pointer);
    }
    mr.pd().users--;
    memory.free(pointer);
    return 0;
  }

  long createCompChannel(long context) {
    if (fake.device(context, "ibv_create_comp_channel") == null) {
      return fake.fail(EINVAL, 0);
    }
    CompChannel channel = new CompChannel(memory.allocate(FakeAbi.COMP_CHANNEL_SIZE));
    abi.write(channel.pointer, FakeAbi.COMP_CHANNEL_CONTEXT, context);
    abi.write(channel.pointer, FakeAbi.COMP_CHANNEL_FD, channel.descriptor.number());
    model.compChannels.put(channel.pointer, channel);
    return channel.pointer;
  }

  int destroyCompChannel(long pointer) {
    CompChannel channel = model.compChannels.get(pointer);
    if (channel == null) {
      return fake.misuse("ibv_destroy_comp_channel", pointer);
    }
    if (channel.queues > 0) {
      fake.violation("ibv_destroy_comp_channel with " + channel.queues + " queues left");
      return EBUSY;
    }
    model.compChannels.remove(pointer);
    channel.descriptor.close();
    memory.free(pointer);
    return 0;
  }

  long createCq(long context, int entries, long cqContext, long channelPointer) {
    FakeDevice device = fake.device(context, "ibv_create_cq");
    CompChannel channel = model.compChannels.get(channelPointer);
    if (device == null || channel == null && channelPointer != 0) {
      fake.misuse("ibv_create_cq", channelPointer);
      return fake.fail(EINVAL, 0);
    }
    if (entries < 1 || entries > device.maxCqe()) {
      return fake.fail(EINVAL, 0);
    }
    int given = fake.rounded(entries);
    long at = memory.allocate(FakeAbi.CQ_SIZE);
    abi.write(at, FakeAbi.CQ_CONTEXT, context);
    abi.write(at, FakeAbi.CQ_CHANNEL, channelPointer);
    abi.write(at, FakeAbi.CQ_CQ_CONTEXT, cqContext);
    abi.write(at, FakeAbi.CQ_CQE, given);
    model.cqs.put(at, new Cq(at, device, channel, given, cqContext));
    if (channel != null) {
      channel.queues++;
    }
    return at;
  }

  int resizeCq(long pointer, int entries) {
    Cq cq = model.cqs.get(pointer);
    if (cq == null) {
      return fake.misuse("ibv_resize_cq", pointer);
    }
    if (entries < 1 || entries > cq.device.maxCqe() || entries < cq.queue.size()) {
      return EINVAL;
    }
    cq.entries = fake.rounded(entries);
    abi.write(pointer, FakeAbi.CQ_CQE, cq.entries);
    return 0;
  }

  int destroyCq(long pointer) {
    Cq cq = model.cqs.get(pointer);
    if (cq == null) {
      return fake.misuse("ibv_destroy_cq", pointer);
    }
    if (cq.queuePairs > 0) {
      fake.violation("ibv_destroy_cq with " + cq.queuePairs + " queue pairs left");
      return EBUSY;
    }
    model.cqs.remove(pointer);
    waitForAcks(cq);
    if (cq.channel != null) {
      cq.channel.queues--;
      cq.channel.events.removeIf(event -> event == cq);
      cq.channel.descriptor.setReadable(!cq.channel.events.isEmpty());
    }
    memory.free(pointer);
    return 0;
  }

  /** The real library waits here for ever. */
  private void waitForAcks(Cq cq) {
    long end = System.nanoTime() + fake.patience.toNanos();
    while (cq.fetchedEvents != cq.ackedEvents) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        fake.violation("ibv_destroy_cq hangs: un-acknowledged completion events");
        return;
      }
      try {
        fake.lock.wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  long createSrq(long pdPointer, long initPointer, byte[] init) {
    Pd pd = model.pds.get(pdPointer);
    if (pd == null) {
      fake.misuse("ibv_create_srq", pdPointer);
      return fake.fail(EINVAL, 0);
    }
    int maxWr = ByteBuffer.wrap(init).order(ByteOrder.nativeOrder()).getInt(8);
    Srq srq = new Srq(memory.allocate(FakeAbi.SRQ_SIZE), pd, fake.rounded(maxWr));
    abi.write(srq.pointer, FakeAbi.SRQ_CONTEXT, pd.device.context);
    abi.write(srq.pointer, FakeAbi.SRQ_PD, pdPointer);
    memory.put(initPointer + 8, 4, srq.maxWr);
    model.srqs.put(srq.pointer, srq);
    pd.users++;
    return srq.pointer;
  }

  int modifySrq(long pointer, byte[] attr, int mask) {
    Srq srq = model.srqs.get(pointer);
    if (srq == null) {
      return fake.misuse("ibv_modify_srq", pointer);
    }
    if (mask != 2) {
      return EINVAL;
    }
    srq.limit = ByteBuffer.wrap(attr).order(ByteOrder.nativeOrder()).getInt(8);
    return 0;
  }

  int querySrq(long pointer, long attr) {
    Srq srq = model.srqs.get(pointer);
    if (srq == null) {
      return fake.misuse("ibv_query_srq", pointer);
    }
    memory.put(attr, 4, srq.maxWr);
    memory.put(attr + 4, 4, 1);
    memory.put(attr + 8, 4, srq.limit);
    return 0;
  }

  int destroySrq(long pointer) {
    Srq srq = model.srqs.get(pointer);
    if (srq == null) {
      return fake.misuse("ibv_destroy_srq", pointer);
    }
    if (srq.queuePairs > 0) {
      fake.violation("ibv_destroy_srq with " + srq.queuePairs + " queue pairs left");
      return EBUSY;
    }
    model.srqs.remove(pointer);
    srq.pd.users--;
    memory.free(pointer);
    return 0;
  }

  int createQp(long idPointer, long pdPointer, long initPointer, byte[] init) {
    Id id = fake.cm.id("rdma_create_qp", idPointer);
    Pd pd = model.pds.get(pdPointer);
    ByteBuffer attr = ByteBuffer.wrap(init).order(ByteOrder.nativeOrder());
    Cq send = model.cqs.get(attr.getLong(8));
    Cq receive = model.cqs.get(attr.getLong(16));
    Srq srq = model.srqs.get(attr.getLong(24));
    if (pd == null || send == null || receive == null || srq == null && attr.getLong(24) != 0) {
      fake.violation("rdma_create_qp with an unknown PD, CQ or SRQ");
      return fake.fail(EINVAL, -1);
    }
    if (id == null || id.device != pd.device || id.qp != null) {
      return fake.fail(EINVAL, -1);
    }
    int[] values = new int[7];
    for (int i = 0; i < 5; i++) {
      values[i] = attr.getInt(32 + 4 * i);
      if (i < 2) {
        values[i] = fake.rounded(values[i]);
        memory.put(initPointer + 32 + 4 * i, 4, values[i]);
      }
    }
    values[5] = attr.getInt(52);
    values[6] = attr.getInt(56);
    if (values[5] != 2 && values[5] != 4) {
      return fake.fail(EINVAL, -1);
    }
    int number = nextNumber++;
    long at = memory.allocate(FakeAbi.QP_SIZE);
    id.qp = new Qp(at, number, id, pd, send, receive, srq, values);
    abi.write(at, FakeAbi.QP_CONTEXT, pd.device.context);
    abi.write(at, FakeAbi.QP_PD, pdPointer);
    abi.write(at, FakeAbi.QP_SEND_CQ, send.pointer);
    abi.write(at, FakeAbi.QP_RECV_CQ, receive.pointer);
    abi.write(at, FakeAbi.QP_SRQ, attr.getLong(24));
    abi.write(at, FakeAbi.QP_HANDLE, 0x7777);
    abi.write(at, FakeAbi.QP_NUM, number);
    abi.write(at, FakeAbi.QP_STATE, 1);
    abi.write(at, FakeAbi.QP_TYPE, values[5]);
    abi.write(idPointer, FakeAbi.ID_QP, at);
    model.qps.put(at, id.qp);
    pd.users++;
    send.queuePairs++;
    receive.queuePairs++;
    if (srq != null) {
      srq.queuePairs++;
    }
    return 0;
  }

  void destroyQp(long idPointer) {
    Id id = fake.cm.id("rdma_destroy_qp", idPointer);
    if (id == null || id.qp == null) {
      fake.violation("rdma_destroy_qp without a queue pair");
      return;
    }
    Qp qp = id.qp;
    id.qp = null;
    model.qps.remove(qp.pointer);
    qp.pd.users--;
    qp.sendCq.queuePairs--;
    qp.recvCq.queuePairs--;
    if (qp.srq != null) {
      qp.srq.queuePairs--;
    }
    abi.write(idPointer, FakeAbi.ID_QP, 0);
    memory.free(qp.pointer);
    fake.wire.peerOf(qp).ifPresent(fake.data::progress);
  }

  int modifyQp(long pointer, byte[] attr, int mask) {
    Qp qp = model.qps.get(pointer);
    if (qp == null) {
      return fake.misuse("ibv_modify_qp", pointer);
    }
    if ((mask & 0x8000) != 0) {
      if (qp.state != FakeDataPath.RTR && qp.state != FakeDataPath.RTS) {
        return EINVAL;
      }
      qp.minRnrTimer = attr[128];
    }
    if ((mask & 1) != 0) {
      int state = ByteBuffer.wrap(attr).order(ByteOrder.nativeOrder()).getInt(0);
      if (state == FakeDataPath.ERR) {
        fake.data.toError(qp);
      } else {
        qp.state = state;
      }
    }
    return 0;
  }

  int queryQp(long pointer, long attr, long init) {
    Qp qp = model.qps.get(pointer);
    if (qp == null) {
      return fake.misuse("ibv_query_qp", pointer);
    }
    if (init == 0) {
      // libibverbs copies into it without a look.
      fake.violation("crash: ibv_query_qp without room for ibv_qp_init_attr");
      return EINVAL;
    }
    memory.write(attr, new byte[FakeAbi.QP_ATTR_SIZE]);
    memory.write(init, new byte[FakeAbi.QP_INIT_ATTR_SIZE]);
    memory.put(attr, 4, qp.state);
    memory.put(attr + 4, 4, qp.state);
    memory.put(attr + 8, 4, 3);
    memory.put(attr + 28, 4, qp.destination);
    memory.put(attr + 126, 1, qp.maxReadAtomic);
    memory.put(attr + 127, 1, qp.maxDestReadAtomic);
    memory.put(attr + 128, 1, qp.minRnrTimer);
    memory.put(attr + 129, 1, 1);
    memory.put(attr + 130, 1, 17);
    memory.put(attr + 131, 1, qp.retryCount);
    memory.put(attr + 132, 1, qp.rnrRetryCount);
    return 0;
  }
}
