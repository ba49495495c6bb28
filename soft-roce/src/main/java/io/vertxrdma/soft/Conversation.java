package io.vertxrdma.soft;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.soft.transport.SoftQueuePair;

/**
 * What an id that connects, or was asked to, has to do with its peer. Everything is called under
 * the id's lock and throws what the native call would.
 */
abstract class Conversation {

  static final byte[] NO_DATA = {};

  final SoftCmId id;
  final SoftDevice device;
  private boolean ended;

  Conversation(SoftCmId id, SoftDevice device) {
    this.id = id;
    this.device = device;
  }

  /** Accepts the peer's request; a datagram id may have no queue pair of its own. */
  void accept(ConnParam parameters, SoftQueuePair queuePair) {
    throw SoftErrors.invalid("rdma_accept", "there is no request to accept");
  }

  /** Rejects the peer. */
  void reject(byte[] privateData) {
    throw SoftErrors.invalid("rdma_reject", "there is no request to reject");
  }

  /** Starts or answers a disconnect, if there is a connection. */
  abstract void disconnect();

  /** Ends it, whatever its state. */
  abstract void destroy();

  /** Reports the first end; there may be a second, which the kernel hides, too. */
  final void postDisconnected(int status) {
    if (!ended) {
      ended = true;
      post(CmEventType.DISCONNECTED, status, ConnParam.ZERO);
    }
  }

  final void postTimewaitExit() {
    if (ended) {
      post(CmEventType.TIMEWAIT_EXIT, 0, ConnParam.ZERO);
    }
  }

  final void post(CmEventType type, int status, ConnParam parameters) {
    id.events().post(device, id.events().event(type, status, parameters));
  }

  static ConnParam dataOnly(byte[] privateData) {
    return new ConnParam(privateData, 0, 0, 0, 0, 0, false, 0);
  }

  /** What the CM lets the peer do: READ and ATOMIC only if it may have any outstanding. */
  static int remoteAccess(int responderResources) {
    return responderResources == 0
        ? AccessFlag.REMOTE_WRITE.bit()
        : AccessFlag.REMOTE_WRITE.bit()
            | AccessFlag.REMOTE_READ.bit()
            | AccessFlag.REMOTE_ATOMIC.bit();
  }

  /** 255 stands for a maximum; everything else must not exceed the device's. */
  static void checkDepths(String operation, ConnParam parameters, SoftDevice device) {
    int mostResources = device.maxResponderResources();
    int mostDepth = device.maxInitiatorDepth();
    if (exceeds(parameters.responderResources(), mostResources)
        || exceeds(parameters.initiatorDepth(), mostDepth)) {
      throw SoftErrors.invalid(operation, parameters.toString());
    }
  }

  private static boolean exceeds(int value, int most) {
    return value != DEVICE_MAXIMUM && value > most;
  }

  /** RDMA_MAX_RESP_RES and RDMA_MAX_INIT_DEPTH. */
  static final int DEVICE_MAXIMUM = 0xFF;

  static int depth(int value, int maximum) {
    return value == DEVICE_MAXIMUM ? maximum : value;
  }

  /** Three bits on the wire. */
  static int retries(int count) {
    return Math.min(count, 7);
  }
}
