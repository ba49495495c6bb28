package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.UdParam;

/** Writes {@code struct rdma_conn_param} and reads the parameters inside an event. */
final class ConnParams {

  private ConnParams() {}

  /** A native copy with every field written and the private data behind it; to be closed. */
  static Memory.Block allocate(ConnParam param) {
    byte[] data = param.privateData();
    Memory.Block block = Memory.allocate(Layout.PARAM_SIZE + data.length);
    long at = block.address();
    long dataAt = at + Layout.PARAM_SIZE;
    Memory.putBytes(dataAt, data);
    Memory.putLong(at + Layout.PARAM_PRIVATE_DATA, data.length == 0 ? 0 : dataAt);
    Memory.putByte(at + Layout.PARAM_PRIVATE_DATA_LEN, data.length);
    Memory.putByte(at + Layout.PARAM_RESPONDER_RESOURCES, param.responderResources());
    Memory.putByte(at + Layout.PARAM_INITIATOR_DEPTH, param.initiatorDepth());
    Memory.putByte(at + Layout.PARAM_FLOW_CONTROL, param.flowControl());
    Memory.putByte(at + Layout.PARAM_RETRY_COUNT, param.retryCount());
    Memory.putByte(at + Layout.PARAM_RNR_RETRY_COUNT, param.rnrRetryCount());
    Memory.putByte(at + Layout.PARAM_SRQ, param.sharedReceiveQueue() ? 1 : 0);
    Memory.putInt(at + Layout.PARAM_QP_NUM, param.queuePairNumber());
    return block;
  }

  /** What an event carries; {@link ConnParam#ZERO} for types that carry nothing. */
  static ConnParam ofEvent(long event, CmEventType type, PortSpace portSpace) {
    switch (type) {
      case CONNECT_REQUEST, CONNECT_RESPONSE, REJECTED, ESTABLISHED -> {
        byte[] data = privateData(event);
        return portSpace == PortSpace.UDP ? datagram(event, data) : connection(event, data);
      }
      case UNREACHABLE -> {
        // A datagram peer that says no has room for a reason.
        return portSpace == PortSpace.UDP ? datagram(event, privateData(event)) : ConnParam.ZERO;
      }
      default -> {
        return ConnParam.ZERO;
      }
    }
  }

  /** How to reach the datagram peer an event tells of, or null. */
  static UdParam udParam(long event, CmEventType type, PortSpace portSpace) {
    return portSpace == PortSpace.UDP && type == CmEventType.ESTABLISHED
        ? new UdParam(
            AhAttributes.read(event + Layout.EVENT_UD_AH_ATTR),
            Memory.getInt(event + Layout.EVENT_UD_QP_NUM),
            Memory.getInt(event + Layout.EVENT_UD_QKEY))
        : null;
  }

  private static byte[] privateData(long event) {
    long data = Memory.getLong(event + Layout.EVENT_PRIVATE_DATA);
    return data == 0
        ? null
        : Memory.getBytes(data, Memory.getUnsignedByte(event + Layout.EVENT_PRIVATE_DATA_LEN));
  }

  private static ConnParam connection(long event, byte[] data) {
    return new ConnParam(
        data,
        Memory.getUnsignedByte(event + Layout.EVENT_RESPONDER_RESOURCES),
        Memory.getUnsignedByte(event + Layout.EVENT_INITIATOR_DEPTH),
        Memory.getUnsignedByte(event + Layout.EVENT_FLOW_CONTROL),
        Memory.getUnsignedByte(event + Layout.EVENT_RETRY_COUNT),
        Memory.getUnsignedByte(event + Layout.EVENT_RNR_RETRY_COUNT),
        Memory.getUnsignedByte(event + Layout.EVENT_SRQ) != 0,
        Memory.getInt(event + Layout.EVENT_QP_NUM));
  }

  /** The other half of the union: an address handle lies where connections have their counts. */
  private static ConnParam datagram(long event, byte[] data) {
    return new ConnParam(data, 0, 0, 0, 0, 0, false, Memory.getInt(event + Layout.EVENT_UD_QP_NUM));
  }
}
