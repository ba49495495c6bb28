package io.vertxrdma.soft;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.cm.CmConnection;
import io.vertxrdma.soft.cm.CmUser;
import io.vertxrdma.soft.transport.ConnectionSetup;
import io.vertxrdma.soft.transport.SoftQueuePair;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;

/**
 * The side that was asked. Until it accepts, its application hears nothing of what happens to the
 * request (the kernel drops such events, ucma_event_handler): accepting then fails.
 */
final class PassiveConnection extends Conversation implements CmUser {

  private final CmConnection connection;
  private final CmReq request;
  private boolean accepted;

  PassiveConnection(SoftCmId id, SoftDevice device, CmConnection connection, CmReq request) {
    super(id, device);
    this.connection = connection;
    this.request = request;
  }

  /** The request as its receiver would use it: depths mirrored. */
  static ConnParam parameters(CmReq request) {
    return new ConnParam(
        request.userData(),
        request.initiatorDepth(),
        request.responderResources(),
        request.flowControl() ? 1 : 0,
        request.retryCount(),
        request.rnrRetryCount(),
        request.srq(),
        request.localQpn());
  }

  @Override
  void accept(ConnParam parameters, SoftQueuePair queuePair) {
    checkDepths("rdma_accept", parameters, device);
    int resources =
        depth(
            parameters.responderResources(),
            Math.min(request.initiatorDepth(), device.maxResponderResources()));
    int depth =
        depth(
            parameters.initiatorDepth(),
            Math.min(request.responderResources(), device.maxInitiatorDepth()));
    boolean done = device.call(() -> acceptInside(parameters, queuePair, resources, depth));
    if (!done) {
      throw SoftErrors.invalid("rdma_accept", parameters.toString());
    }
  }

  private boolean acceptInside(
      ConnParam parameters, SoftQueuePair queuePair, int resources, int depth) {
    if (!connection.isRequested() || queuePair.state() != QueuePairState.INIT) {
      return false;
    }
    int timeout = id.ackTimeout(request.localAckTimeout());
    int receivePsn = device.engine().allocateStartPsn();
    queuePair.connect(
        new ConnectionSetup(
            connection.peer(),
            request.localQpn(),
            request.startingPsn(),
            receivePsn,
            SoftDevice.mtuBytes(request.pathMtu()),
            depth,
            resources,
            timeout,
            request.retryCount(),
            request.rnrRetryCount(),
            remoteAccess(request.initiatorDepth())));
    if (parameters.privateDataLength() > CmRep.PRIVATE_DATA_LENGTH) {
      // The kernel rejects the peer when it can't send the reply.
      connection.reject(NO_DATA);
      queuePair.toError();
      return false;
    }
    accepted = true;
    return connection.reply(
        new CmRep(
            connection.localId(),
            connection.remoteId(),
            queuePair.number(),
            receivePsn,
            resources,
            depth,
            0,
            parameters.flowControl() != 0,
            retries(parameters.rnrRetryCount()),
            id.usesSharedReceiveQueue(),
            device.agent().caGuid(),
            parameters.privateData()),
        timeout);
  }

  @Override
  void reject(byte[] privateData) {
    if (privateData.length > CmRej.PRIVATE_DATA_LENGTH
        || !device.call(() -> connection.reject(privateData))) {
      throw SoftErrors.invalid("rdma_reject", "private data of " + privateData.length + " bytes");
    }
  }

  @Override
  void disconnect() {
    device.engine().execute(connection::disconnect);
  }

  @Override
  void destroy() {
    device.engine().execute(connection::destroy);
  }

  @Override
  public void replied(CmRep reply) {
    throw new IllegalStateException("a REP for the side that sends it");
  }

  @Override
  public void established() {
    report(CmEventType.ESTABLISHED, 0, ConnParam.ZERO);
  }

  @Override
  public void rejected(int reason, byte[] privateData) {
    report(CmEventType.REJECTED, reason, dataOnly(privateData));
  }

  @Override
  public void unreachable() {
    report(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), ConnParam.ZERO);
  }

  @Override
  public void disconnected(int status) {
    if (accepted) {
      postDisconnected(status);
    }
  }

  @Override
  public void timewaitExit() {
    postTimewaitExit();
  }

  private void report(CmEventType type, int status, ConnParam parameters) {
    if (accepted) {
      post(type, status, parameters);
    }
  }
}
