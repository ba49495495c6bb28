package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.Params;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a rdma_conn_param as librdmacm and the kernel do, and what becomes of it in the QP. */
final class FakeParams {

  private FakeParams() {}

  /** The values, or null where librdmacm answers EINVAL; garbage in the struct is recorded. */
  static Params decode(FakeNativeCalls fake, String function, byte[] param, byte[] data, Id id) {
    Params values = new Params();
    if (param.length == 0) {
      values.responderResources = 255;
      values.initiatorDepth = 255;
      values.retryCount = 7;
      values.rnrRetryCount = 7;
      return values;
    }
    ByteBuffer bytes = ByteBuffer.wrap(param).order(ByteOrder.nativeOrder());
    int length = param[FakeAbi.PARAM_PRIVATE_LEN] & 0xFF;
    long pointer = bytes.getLong(FakeAbi.PARAM_PRIVATE_DATA);
    if ((pointer == 0) != (length == 0)) {
      fake.violation(function + " with private_data " + pointer + " and length " + length);
    }
    if (param[15] != 0 || bytes.getInt(20) != 0) {
      fake.violation(function + " with garbage in the padding of rdma_conn_param");
    }
    values.privateData = data;
    values.responderResources = param[FakeAbi.PARAM_RESPONDER] & 0xFF;
    values.initiatorDepth = param[FakeAbi.PARAM_INITIATOR] & 0xFF;
    values.flowControl = param[FakeAbi.PARAM_FLOW] & 0xFF;
    values.retryCount = Math.min(7, param[FakeAbi.PARAM_RETRY] & 0xFF);
    values.rnrRetryCount = Math.min(7, param[FakeAbi.PARAM_RNR] & 0xFF);
    values.srq = param[FakeAbi.PARAM_SRQ] & 0xFF;
    values.qpNumber = bytes.getInt(FakeAbi.PARAM_QP_NUM);
    if (id.qp != null) {
      // librdmacm takes these from the queue pair, whatever the caller says.
      values.qpNumber = id.qp.number;
      values.srq = id.qp.srq == null ? 0 : 1;
    }
    boolean checked = id.portSpace == 0x0106 && id.device != null;
    return checked
            && (above(values.responderResources, id.device.cachedResponderMax())
                || above(values.initiatorDepth, id.device.cachedInitiatorMax()))
        ? null
        : values;
  }

  private static boolean above(int value, int deviceMax) {
    return value != 255 && value > deviceMax;
  }

  /** What the other side's event carries: the depths change places. */
  static Params mirrored(Params from, boolean request) {
    Params seen = from.copy();
    seen.responderResources = from.initiatorDepth;
    seen.initiatorDepth = from.responderResources;
    if (!request) {
      seen.retryCount = 0;
    }
    return seen;
  }

  /** Takes the queue pair to RTS with the values of both sides. */
  static void readyToSend(Id id) {
    if (id.qp == null || id.qp.state == FakeDataPath.ERR) {
      return;
    }
    id.qp.state = FakeDataPath.RTS;
    id.qp.destination = id.offered.qpNumber;
    id.qp.maxReadAtomic = id.passive ? id.own.initiatorDepth : id.offered.initiatorDepth;
    id.qp.maxDestReadAtomic =
        id.passive ? id.own.responderResources : id.offered.responderResources;
    // The connector's retry count serves both sides; each side's RNR count serves the other.
    id.qp.retryCount = id.passive ? id.offered.retryCount : id.own.retryCount;
    id.qp.rnrRetryCount = id.offered.rnrRetryCount;
  }
}
