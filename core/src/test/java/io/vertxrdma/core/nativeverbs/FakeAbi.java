package io.vertxrdma.core.nativeverbs;

import java.util.HashMap;
import java.util.Map;

/**
 * The struct fields the fake library reads and writes, with numbers printed by a C compiler.
 *
 * <p>They are written out here and not taken from {@link Layout}, so that a wrong number there
 * makes tests fail instead of being wrong on both sides. A field can be moved, to play a library
 * that was built with other headers.
 */
final class FakeAbi {

  /** One field: {@code struct.field}, its offset and its size in bytes. */
  record Field(String name, int offset, int size) {}

  static final Field CHANNEL_FD = new Field("rdma_event_channel.fd", 0, 4);

  static final int ID_SIZE = 416;
  static final Field ID_VERBS = new Field("rdma_cm_id.verbs", 0, 8);
  static final Field ID_CHANNEL = new Field("rdma_cm_id.channel", 8, 8);
  static final Field ID_CONTEXT = new Field("rdma_cm_id.context", 16, 8);
  static final Field ID_QP = new Field("rdma_cm_id.qp", 24, 8);
  static final Field ID_SRC_ADDR = new Field("rdma_cm_id.route.addr.src_addr", 32, 128);
  static final Field ID_DST_ADDR = new Field("rdma_cm_id.route.addr.dst_addr", 160, 128);
  static final Field ID_PS = new Field("rdma_cm_id.ps", 344, 4);
  static final Field ID_PORT_NUM = new Field("rdma_cm_id.port_num", 348, 1);
  static final Field ID_QP_TYPE = new Field("rdma_cm_id.qp_type", 408, 4);

  static final int EVENT_SIZE = 80;
  static final Field EVENT_ID = new Field("rdma_cm_event.id", 0, 8);
  static final Field EVENT_LISTEN_ID = new Field("rdma_cm_event.listen_id", 8, 8);
  static final Field EVENT_TYPE = new Field("rdma_cm_event.event", 16, 4);
  static final Field EVENT_STATUS = new Field("rdma_cm_event.status", 20, 4);
  static final Field EVENT_PRIVATE_DATA = new Field("rdma_cm_event.param.private_data", 24, 8);
  static final Field EVENT_PRIVATE_LEN = new Field("rdma_cm_event.param.private_data_len", 32, 1);
  static final Field EVENT_RESPONDER = new Field("rdma_cm_event.param.responder_resources", 33, 1);
  static final Field EVENT_INITIATOR = new Field("rdma_cm_event.param.initiator_depth", 34, 1);
  static final Field EVENT_FLOW = new Field("rdma_cm_event.param.flow_control", 35, 1);
  static final Field EVENT_RETRY = new Field("rdma_cm_event.param.retry_count", 36, 1);
  static final Field EVENT_RNR = new Field("rdma_cm_event.param.rnr_retry_count", 37, 1);
  static final Field EVENT_SRQ = new Field("rdma_cm_event.param.srq", 38, 1);
  static final Field EVENT_QP_NUM = new Field("rdma_cm_event.param.qp_num", 40, 4);

  static final Field EVENT_UD_AH_ATTR = new Field("rdma_cm_event.param.ud.ah_attr", 40, 32);
  static final Field EVENT_UD_QP_NUM = new Field("rdma_cm_event.param.ud.qp_num", 72, 4);
  static final Field EVENT_UD_QKEY = new Field("rdma_cm_event.param.ud.qkey", 76, 4);

  static final int AH_SIZE = 24;
  static final int AH_ATTR_SIZE = 32;
  static final Field AH_CONTEXT = new Field("ibv_ah.context", 0, 8);
  static final Field AH_PD = new Field("ibv_ah.pd", 8, 8);

  static final int PARAM_SIZE = 24;
  static final int PARAM_PRIVATE_DATA = 0;
  static final int PARAM_PRIVATE_LEN = 8;
  static final int PARAM_RESPONDER = 9;
  static final int PARAM_INITIATOR = 10;
  static final int PARAM_FLOW = 11;
  static final int PARAM_RETRY = 12;
  static final int PARAM_RNR = 13;
  static final int PARAM_SRQ = 14;
  static final int PARAM_QP_NUM = 16;

  static final int CONTEXT_SIZE = 328;
  static final Field CONTEXT_DEVICE = new Field("ibv_context.device", 0, 8);
  static final Field CONTEXT_POLL_CQ = new Field("ibv_context.ops.poll_cq", 96, 8);
  static final Field CONTEXT_REQ_NOTIFY = new Field("ibv_context.ops.req_notify_cq", 104, 8);
  static final Field CONTEXT_POST_SRQ = new Field("ibv_context.ops.post_srq_recv", 168, 8);
  static final Field CONTEXT_POST_SEND = new Field("ibv_context.ops.post_send", 208, 8);
  static final Field CONTEXT_POST_RECV = new Field("ibv_context.ops.post_recv", 216, 8);
  static final Field CONTEXT_CMD_FD = new Field("ibv_context.cmd_fd", 264, 4);
  static final Field CONTEXT_ASYNC_FD = new Field("ibv_context.async_fd", 268, 4);

  static final int DEVICE_SIZE = 664;
  static final Field DEVICE_NODE_TYPE = new Field("ibv_device.node_type", 16, 4);
  static final Field DEVICE_TRANSPORT = new Field("ibv_device.transport_type", 20, 4);
  static final int DEVICE_NAME = 24;

  static final int QP_SIZE = 160;
  static final Field QP_CONTEXT = new Field("ibv_qp.context", 0, 8);
  static final Field QP_PD = new Field("ibv_qp.pd", 16, 8);
  static final Field QP_SEND_CQ = new Field("ibv_qp.send_cq", 24, 8);
  static final Field QP_RECV_CQ = new Field("ibv_qp.recv_cq", 32, 8);
  static final Field QP_SRQ = new Field("ibv_qp.srq", 40, 8);
  static final Field QP_HANDLE = new Field("ibv_qp.handle", 48, 4);
  static final Field QP_NUM = new Field("ibv_qp.qp_num", 52, 4);
  static final Field QP_STATE = new Field("ibv_qp.state", 56, 4);
  static final Field QP_TYPE = new Field("ibv_qp.qp_type", 60, 4);

  static final int CQ_SIZE = 128;
  static final Field CQ_CONTEXT = new Field("ibv_cq.context", 0, 8);
  static final Field CQ_CHANNEL = new Field("ibv_cq.channel", 8, 8);
  static final Field CQ_CQ_CONTEXT = new Field("ibv_cq.cq_context", 16, 8);
  static final Field CQ_CQE = new Field("ibv_cq.cqe", 28, 4);

  static final int SRQ_SIZE = 128;
  static final Field SRQ_CONTEXT = new Field("ibv_srq.context", 0, 8);
  static final Field SRQ_PD = new Field("ibv_srq.pd", 16, 8);

  static final int PD_SIZE = 16;
  static final Field PD_CONTEXT = new Field("ibv_pd.context", 0, 8);

  static final int MR_SIZE = 48;
  static final Field MR_CONTEXT = new Field("ibv_mr.context", 0, 8);
  static final Field MR_PD = new Field("ibv_mr.pd", 8, 8);
  static final Field MR_ADDR = new Field("ibv_mr.addr", 16, 8);
  static final Field MR_LENGTH = new Field("ibv_mr.length", 24, 8);
  static final Field MR_LKEY = new Field("ibv_mr.lkey", 36, 4);
  static final Field MR_RKEY = new Field("ibv_mr.rkey", 40, 4);

  static final int COMP_CHANNEL_SIZE = 16;
  static final Field COMP_CHANNEL_CONTEXT = new Field("ibv_comp_channel.context", 0, 8);
  static final Field COMP_CHANNEL_FD = new Field("ibv_comp_channel.fd", 8, 4);

  static final Field ASYNC_ELEMENT = new Field("ibv_async_event.element", 0, 8);
  static final Field ASYNC_TYPE = new Field("ibv_async_event.event_type", 8, 4);

  static final int WC_SIZE = 48;
  static final int SEND_WR_SIZE = 128;
  static final int RECV_WR_SIZE = 32;
  static final int QP_INIT_ATTR_SIZE = 64;
  static final int QP_ATTR_SIZE = 144;
  static final int DEVICE_ATTR_SIZE = 232;
  static final int PORT_ATTR_SIZE = 52;
  static final int SRQ_INIT_ATTR_SIZE = 24;
  static final int SRQ_ATTR_SIZE = 12;

  private final FakeMemory memory;
  private final Map<String, Integer> moved = new HashMap<>();

  FakeAbi(FakeMemory memory) {
    this.memory = memory;
  }

  /** From now on the field lies at another offset. */
  void move(String field, int offset) {
    moved.put(field, offset);
  }

  /** Where a field lies. */
  long at(long struct, Field field) {
    return struct + moved.getOrDefault(field.name(), field.offset());
  }

  /** Writes a field of 1, 4 or 8 bytes. */
  void write(long struct, Field field, long value) {
    memory.put(at(struct, field), field.size(), value);
  }
}
