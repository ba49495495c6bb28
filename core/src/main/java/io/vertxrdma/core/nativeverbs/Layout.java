package io.vertxrdma.core.nativeverbs;

/**
 * Sizes and offsets, in bytes, of the structs of librdmacm and libibverbs on 64-bit Linux. All
 * fields used here lie before any mutex, so they are the same on x86-64 and aarch64; what can be
 * checked at run time is checked by {@link LayoutCheck}.
 */
final class Layout {

  // rdma_event_channel
  static final int CHANNEL_FD = 0;

  // rdma_cm_id (416)
  static final int ID_SIZE = 416;
  static final int ID_VERBS = 0;
  static final int ID_CHANNEL = 8;
  static final int ID_CONTEXT = 16;
  static final int ID_QP = 24;
  static final int ID_SRC_ADDR = 32;
  static final int ID_DST_ADDR = 160;
  static final int ID_PS = 344;
  static final int ID_PORT_NUM = 348;
  static final int ID_QP_TYPE = 408;

  // rdma_cm_event (80)
  static final int EVENT_SIZE = 80;
  static final int EVENT_ID = 0;
  static final int EVENT_LISTEN_ID = 8;
  static final int EVENT_TYPE = 16;
  static final int EVENT_STATUS = 20;
  static final int EVENT_PARAM = 24;

  // the conn and the ud half of the union in rdma_cm_event; private data is at the same place in
  // both
  static final int EVENT_PRIVATE_DATA = 24;
  static final int EVENT_PRIVATE_DATA_LEN = 32;
  static final int EVENT_RESPONDER_RESOURCES = 33;
  static final int EVENT_INITIATOR_DEPTH = 34;
  static final int EVENT_FLOW_CONTROL = 35;
  static final int EVENT_RETRY_COUNT = 36;
  static final int EVENT_RNR_RETRY_COUNT = 37;
  static final int EVENT_SRQ = 38;
  static final int EVENT_QP_NUM = 40;
  static final int EVENT_UD_AH_ATTR = 40;
  static final int EVENT_UD_QP_NUM = 72;
  static final int EVENT_UD_QKEY = 76;

  // rdma_conn_param (24)
  static final int PARAM_SIZE = 24;
  static final int PARAM_PRIVATE_DATA = 0;
  static final int PARAM_PRIVATE_DATA_LEN = 8;
  static final int PARAM_RESPONDER_RESOURCES = 9;
  static final int PARAM_INITIATOR_DEPTH = 10;
  static final int PARAM_FLOW_CONTROL = 11;
  static final int PARAM_RETRY_COUNT = 12;
  static final int PARAM_RNR_RETRY_COUNT = 13;
  static final int PARAM_SRQ = 14;
  static final int PARAM_QP_NUM = 16;

  // ibv_context (ops table starts at 8)
  static final int CONTEXT_DEVICE = 0;
  static final int CONTEXT_POLL_CQ = 96;
  static final int CONTEXT_REQ_NOTIFY_CQ = 104;
  static final int CONTEXT_POST_SRQ_RECV = 168;
  static final int CONTEXT_POST_SEND = 208;
  static final int CONTEXT_POST_RECV = 216;
  static final int CONTEXT_CMD_FD = 264;
  static final int CONTEXT_ASYNC_FD = 268;

  // ibv_device
  static final int DEVICE_NODE_TYPE = 16;
  static final int DEVICE_TRANSPORT_TYPE = 20;

  // ibv_device_attr (232)
  static final int DEVICE_ATTR_SIZE = 232;
  static final int DEVICE_ATTR_FW_VER = 0;
  static final int DEVICE_ATTR_NODE_GUID = 64;
  static final int DEVICE_ATTR_MAX_MR_SIZE = 80;
  static final int DEVICE_ATTR_VENDOR_ID = 96;
  static final int DEVICE_ATTR_VENDOR_PART_ID = 100;
  static final int DEVICE_ATTR_MAX_QP = 108;
  static final int DEVICE_ATTR_MAX_QP_WR = 112;
  static final int DEVICE_ATTR_MAX_SGE = 120;
  static final int DEVICE_ATTR_MAX_CQ = 128;
  static final int DEVICE_ATTR_MAX_CQE = 132;
  static final int DEVICE_ATTR_MAX_MR = 136;
  static final int DEVICE_ATTR_MAX_QP_RD_ATOM = 144;
  static final int DEVICE_ATTR_MAX_QP_INIT_RD_ATOM = 156;
  static final int DEVICE_ATTR_ATOMIC_CAP = 164;
  static final int DEVICE_ATTR_MAX_SRQ = 212;
  static final int DEVICE_ATTR_MAX_SRQ_WR = 216;
  static final int DEVICE_ATTR_PHYS_PORT_CNT = 227;

  // ibv_port_attr (grows at the end: 48, 52, 56; always allocate more)
  static final int PORT_ATTR_ALLOCATE = 128;
  static final int PORT_ATTR_STATE = 0;
  static final int PORT_ATTR_MAX_MTU = 4;
  static final int PORT_ATTR_ACTIVE_MTU = 8;
  static final int PORT_ATTR_GID_TBL_LEN = 12;
  static final int PORT_ATTR_MAX_MSG_SZ = 20;
  static final int PORT_ATTR_LID = 34;
  static final int PORT_ATTR_LINK_LAYER = 46;

  // ibv_sge (16)
  static final int SGE_SIZE = 16;
  static final int SGE_ADDR = 0;
  static final int SGE_LENGTH = 8;
  static final int SGE_LKEY = 12;

  // ibv_send_wr (128)
  static final int SEND_WR_SIZE = 128;
  static final int SEND_WR_WR_ID = 0;
  static final int SEND_WR_NEXT = 8;
  static final int SEND_WR_SG_LIST = 16;
  static final int SEND_WR_NUM_SGE = 24;
  static final int SEND_WR_OPCODE = 28;
  static final int SEND_WR_SEND_FLAGS = 32;
  static final int SEND_WR_IMM_DATA = 36;
  static final int SEND_WR_REMOTE_ADDR = 40;
  static final int SEND_WR_RKEY = 48;
  static final int SEND_WR_ATOMIC_COMPARE_ADD = 48;
  static final int SEND_WR_ATOMIC_SWAP = 56;
  static final int SEND_WR_ATOMIC_RKEY = 64;

  static final int SEND_WR_UD_AH = 40;
  static final int SEND_WR_UD_REMOTE_QPN = 48;
  static final int SEND_WR_UD_REMOTE_QKEY = 52;

  // ibv_recv_wr (32)
  static final int RECV_WR_SIZE = 32;
  static final int RECV_WR_WR_ID = 0;
  static final int RECV_WR_NEXT = 8;
  static final int RECV_WR_SG_LIST = 16;
  static final int RECV_WR_NUM_SGE = 24;

  // ibv_wc (48)
  static final int WC_SIZE = 48;
  static final int WC_WR_ID = 0;
  static final int WC_STATUS = 8;
  static final int WC_OPCODE = 12;
  static final int WC_VENDOR_ERR = 16;
  static final int WC_BYTE_LEN = 20;
  static final int WC_IMM_DATA = 24;
  static final int WC_QP_NUM = 28;
  static final int WC_SRC_QP = 32;
  static final int WC_FLAGS = 36;

  // ibv_qp_init_attr (64), ibv_qp_cap (20)
  static final int QP_INIT_ATTR_SIZE = 64;
  static final int QP_INIT_ATTR_SEND_CQ = 8;
  static final int QP_INIT_ATTR_RECV_CQ = 16;
  static final int QP_INIT_ATTR_SRQ = 24;
  static final int QP_INIT_ATTR_CAP = 32;
  static final int QP_INIT_ATTR_QP_TYPE = 52;
  static final int QP_INIT_ATTR_SQ_SIG_ALL = 56;

  // ibv_qp_attr (144)
  static final int QP_ATTR_SIZE = 144;
  static final int QP_ATTR_QP_STATE = 0;
  static final int QP_ATTR_PATH_MTU = 8;
  static final int QP_ATTR_DEST_QP_NUM = 28;
  static final int QP_ATTR_MAX_RD_ATOMIC = 126;
  static final int QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
  static final int QP_ATTR_MIN_RNR_TIMER = 128;
  static final int QP_ATTR_TIMEOUT = 130;
  static final int QP_ATTR_RETRY_CNT = 131;
  static final int QP_ATTR_RNR_RETRY = 132;

  // ibv_qp (the part before its mutex)
  static final int QP_CONTEXT = 0;
  static final int QP_SEND_CQ = 24;
  static final int QP_RECV_CQ = 32;
  static final int QP_QP_NUM = 52;
  static final int QP_QP_TYPE = 60;

  // ibv_cq (the part before its mutex)
  static final int CQ_CONTEXT = 0;
  static final int CQ_CHANNEL = 8;
  static final int CQ_CQ_CONTEXT = 16;
  static final int CQ_CQE = 28;

  // ibv_srq_init_attr (24), ibv_srq_attr (12)
  static final int SRQ_INIT_ATTR_SIZE = 24;
  static final int SRQ_INIT_ATTR_MAX_WR = 8;
  static final int SRQ_INIT_ATTR_MAX_SGE = 12;
  static final int SRQ_INIT_ATTR_LIMIT = 16;
  static final int SRQ_ATTR_SIZE = 12;
  static final int SRQ_ATTR_LIMIT = 8;

  // ibv_ah_attr (32), which begins with its ibv_global_route; ibv_ah (24)
  static final int AH_ATTR_SIZE = 32;
  static final int AH_ATTR_DGID = 0;
  static final int AH_ATTR_FLOW_LABEL = 16;
  static final int AH_ATTR_SGID_INDEX = 20;
  static final int AH_ATTR_HOP_LIMIT = 21;
  static final int AH_ATTR_TRAFFIC_CLASS = 22;
  static final int AH_ATTR_DLID = 24;
  static final int AH_ATTR_SL = 26;
  static final int AH_ATTR_SRC_PATH_BITS = 27;
  static final int AH_ATTR_STATIC_RATE = 28;
  static final int AH_ATTR_IS_GLOBAL = 29;
  static final int AH_ATTR_PORT_NUM = 30;
  static final int AH_CONTEXT = 0;
  static final int AH_PD = 8;

  // ibv_mr (48), ibv_pd (16), ibv_comp_channel (16), ibv_async_event (16)
  static final int MR_CONTEXT = 0;
  static final int MR_PD = 8;
  static final int MR_ADDR = 16;
  static final int MR_LENGTH = 24;
  static final int MR_LKEY = 36;
  static final int MR_RKEY = 40;
  static final int PD_CONTEXT = 0;
  static final int COMP_CHANNEL_CONTEXT = 0;
  static final int COMP_CHANNEL_FD = 8;
  static final int ASYNC_EVENT_SIZE = 16;
  static final int ASYNC_EVENT_ELEMENT = 0;
  static final int ASYNC_EVENT_TYPE = 8;

  // sockaddr_in (16), sockaddr_in6 (28), sockaddr_storage (128)
  static final int SOCKADDR_SIZE = 128;
  static final int SOCKADDR_FAMILY = 0;
  static final int SOCKADDR_PORT = 2;
  static final int SOCKADDR_IN_ADDR = 4;
  static final int SOCKADDR_IN6_ADDR = 8;
  static final int SOCKADDR_IN6_SCOPE = 24;
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  // fcntl(2)
  static final int F_GETFL = 3;
  static final int F_SETFL = 4;
  static final int O_NONBLOCK = 0x800;

  private Layout() {}

  /** The bytes behind an {@code enum ibv_mtu}, 0 for a number without a meaning. */
  static int mtuBytes(int mtu) {
    return mtu >= 1 && mtu <= 5 ? 128 << mtu : 0;
  }
}
