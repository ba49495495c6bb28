package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares native structs with {@link Layout} as far as that can be done at run time: makes one of
 * each object, looks whether the fields hold what must be in them, and destroys it again.
 *
 * <p>What can't be made for want of a device, of memory or of rights is left out: that is another
 * kind of trouble, and the one who needs the object will hear of it.
 */
final class LayoutCheck {

  private static final Logger log = LoggerFactory.getLogger(LayoutCheck.class);

  /** A value that no field holds by chance. */
  private static final long MARK = 0x5AFE_0C0D_E123_4567L;

  private static final int PORT_SPACE_TCP = 0x106;
  private static final int LOCAL_WRITE = 1;
  private static final int REGION = 4096;
  private static final int ENTRIES = 3;

  private final NativeCalls calls;

  private LayoutCheck(NativeCalls calls) {
    this.calls = calls;
  }

  /**
   * Checks what an open event channel and the first device show.
   *
   * @throws ProviderUnavailableException naming struct and field of the first mismatch
   */
  static void run(NativeCalls calls, long eventChannel) {
    LayoutCheck check = new LayoutCheck(calls);
    check.eventChannel(eventChannel);
    check.id(eventChannel);
    check.firstDevice();
  }

  /** Looks at a new queue pair, which only a bound id can make. */
  static void queuePair(long qp, long context, long sendQueue, long receiveQueue) {
    expect("rdma_cm_id.qp", qp != 0, "a pointer", qp);
    expectLong("ibv_qp.context", context, qp + Layout.QP_CONTEXT);
    expectLong("ibv_qp.send_cq", sendQueue, qp + Layout.QP_SEND_CQ);
    expectLong("ibv_qp.recv_cq", receiveQueue, qp + Layout.QP_RECV_CQ);
    int number = Memory.getInt(qp + Layout.QP_QP_NUM);
    expect("ibv_qp.qp_num", number > 0 && number <= 0xFF_FFFF, "1..0xffffff", number);
  }

  /** Looks at a new address handle, which only a known path can make. */
  static void addressHandle(long ah, long context, long pd) {
    expectLong("ibv_ah.context", context, ah + Layout.AH_CONTEXT);
    expectLong("ibv_ah.pd", pd, ah + Layout.AH_PD);
  }

  private void eventChannel(long channel) {
    expectDescriptor("rdma_event_channel.fd", channel + Layout.CHANNEL_FD);
  }

  private void id(long channel) {
    try (Memory.Block out = Memory.allocate(Long.BYTES)) {
      if (calls.rdma_create_id(channel, out.address(), MARK, PORT_SPACE_TCP) != 0) {
        skipped("rdma_create_id");
        return;
      }
      long id = Memory.getLong(out.address());
      try {
        expectLong("rdma_cm_id.verbs", 0, id + Layout.ID_VERBS);
        expectLong("rdma_cm_id.channel", channel, id + Layout.ID_CHANNEL);
        expectLong("rdma_cm_id.context", MARK, id + Layout.ID_CONTEXT);
        expectLong("rdma_cm_id.qp", 0, id + Layout.ID_QP);
        int portSpace = Memory.getInt(id + Layout.ID_PS);
        expect("rdma_cm_id.ps", portSpace == PORT_SPACE_TCP, PORT_SPACE_TCP, portSpace);
      } finally {
        calls.rdma_destroy_id(id);
      }
    }
  }

  private void firstDevice() {
    try (Memory.Block count = Memory.allocate(Long.BYTES)) {
      long list = calls.rdma_get_devices(count.address());
      if (list == 0) {
        skipped("rdma_get_devices");
        return;
      }
      try {
        if (Memory.getInt(count.address()) > 0) {
          context(Memory.getLong(list));
        }
      } finally {
        calls.rdma_free_devices(list);
      }
    }
  }

  private void context(long context) {
    long device = Memory.getLong(context + Layout.CONTEXT_DEVICE);
    expect("ibv_context.device", device != 0, "a pointer", device);
    range("ibv_device.node_type", -1, 7, Memory.getInt(device + Layout.DEVICE_NODE_TYPE));
    range("ibv_device.transport_type", -1, 5, Memory.getInt(device + Layout.DEVICE_TRANSPORT_TYPE));
    function("poll_cq", context + Layout.CONTEXT_POLL_CQ);
    function("req_notify_cq", context + Layout.CONTEXT_REQ_NOTIFY_CQ);
    function("post_srq_recv", context + Layout.CONTEXT_POST_SRQ_RECV);
    function("post_send", context + Layout.CONTEXT_POST_SEND);
    function("post_recv", context + Layout.CONTEXT_POST_RECV);
    expectDescriptor("ibv_context.cmd_fd", context + Layout.CONTEXT_CMD_FD);
    expectDescriptor("ibv_context.async_fd", context + Layout.CONTEXT_ASYNC_FD);
    attributes(context);
    protectionDomain(context);
    completionChannel(context);
  }

  private static void function(String name, long address) {
    long pointer = Memory.getLong(address);
    expect("ibv_context.ops." + name, pointer != 0, "a pointer", pointer);
  }

  private void attributes(long context) {
    try (Memory.Block attr = Memory.allocate(Layout.DEVICE_ATTR_SIZE)) {
      if (calls.ibv_query_device(context, attr.address()) != 0) {
        skipped("ibv_query_device");
        return;
      }
      int ports = Memory.getUnsignedByte(attr.address() + Layout.DEVICE_ATTR_PHYS_PORT_CNT);
      range("ibv_device_attr.phys_port_cnt", 1, 255, ports);
    }
    try (Memory.Block attr = Memory.allocate(Layout.PORT_ATTR_ALLOCATE)) {
      if (calls.ibv_query_port(context, (byte) 1, attr.address()) != 0) {
        skipped("ibv_query_port");
        return;
      }
      range("ibv_port_attr.state", 0, 5, Memory.getInt(attr.address() + Layout.PORT_ATTR_STATE));
      int linkLayer = Memory.getUnsignedByte(attr.address() + Layout.PORT_ATTR_LINK_LAYER);
      range("ibv_port_attr.link_layer", 0, 2, linkLayer);
    }
  }

  private void protectionDomain(long context) {
    long pd = calls.ibv_alloc_pd(context);
    if (pd == 0) {
      skipped("ibv_alloc_pd");
      return;
    }
    try {
      expectLong("ibv_pd.context", context, pd + Layout.PD_CONTEXT);
      memoryRegion(context, pd);
    } finally {
      calls.ibv_dealloc_pd(pd);
    }
  }

  private void memoryRegion(long context, long pd) {
    try (Memory.Block memory = Memory.allocate(REGION)) {
      long mr = calls.ibv_reg_mr(pd, memory.address(), REGION, LOCAL_WRITE);
      if (mr == 0) {
        skipped("ibv_reg_mr");
        return;
      }
      try {
        expectLong("ibv_mr.context", context, mr + Layout.MR_CONTEXT);
        expectLong("ibv_mr.pd", pd, mr + Layout.MR_PD);
        expectLong("ibv_mr.addr", memory.address(), mr + Layout.MR_ADDR);
        expectLong("ibv_mr.length", REGION, mr + Layout.MR_LENGTH);
      } finally {
        calls.ibv_dereg_mr(mr);
      }
    }
  }

  private void completionChannel(long context) {
    long channel = calls.ibv_create_comp_channel(context);
    if (channel == 0) {
      skipped("ibv_create_comp_channel");
      return;
    }
    try {
      expectLong("ibv_comp_channel.context", context, channel + Layout.COMP_CHANNEL_CONTEXT);
      expectDescriptor("ibv_comp_channel.fd", channel + Layout.COMP_CHANNEL_FD);
      completionQueue(context, channel);
    } finally {
      calls.ibv_destroy_comp_channel(channel);
    }
  }

  private void completionQueue(long context, long channel) {
    long cq = calls.ibv_create_cq(context, ENTRIES, MARK, channel, 0);
    if (cq == 0) {
      skipped("ibv_create_cq");
      return;
    }
    try {
      expectLong("ibv_cq.context", context, cq + Layout.CQ_CONTEXT);
      expectLong("ibv_cq.channel", channel, cq + Layout.CQ_CHANNEL);
      expectLong("ibv_cq.cq_context", MARK, cq + Layout.CQ_CQ_CONTEXT);
      int entries = Memory.getInt(cq + Layout.CQ_CQE);
      expect("ibv_cq.cqe", entries >= ENTRIES, ENTRIES + " or more", entries);
    } finally {
      calls.ibv_destroy_cq(cq);
    }
  }

  private void skipped(String operation) {
    log.debug(
        "layout check stops short: {}",
        RdmaException.ofErrno(operation, calls.errno()).getMessage());
  }

  private void expectDescriptor(String field, long address) {
    int fd = Memory.getInt(address);
    expect(field, Descriptors.isValid(calls, fd), "an open file descriptor", fd);
  }

  private static void expectLong(String field, long expected, long address) {
    long found = Memory.getLong(address);
    expect(field, found == expected, hex(expected), hex(found));
  }

  private static void range(String field, int low, int high, int found) {
    expect(field, found >= low && found <= high, low + ".." + high, found);
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  private static void expect(String field, boolean holds, Object expected, Object found) {
    if (!holds) {
      throw new ProviderUnavailableException(
          NativeProvider.NAME,
          Availability.unavailable(
              Availability.Cause.LAYOUT_MISMATCH,
              "the native struct field "
                  + field
                  + " is not where this library expects it: expected "
                  + expected
                  + ", found "
                  + found
                  + "; this rdma-core version or platform is not supported"));
    }
  }
}
