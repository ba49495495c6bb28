package io.vertxrdma.soft;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.cm.CmConnection;
import io.vertxrdma.soft.cm.CmUser;
import io.vertxrdma.soft.transport.ConnectionSetup;
import io.vertxrdma.soft.transport.SoftQueuePair;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmReqBuilder;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The side that connects. */
final class ActiveConnection extends Conversation implements CmUser {

  static final int MAX_PRIVATE_DATA = CmReq.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH;

  private final InetAddress peer;
  private final int receivePsn;
  private final int pathMtu;
  private final int ackTimeout;
  private final int retryCount;
  private final int responderResources;

  /** Null when nobody is there to ask. */
  private CmConnection connection;

  private ActiveConnection(
      SoftCmId id, SoftDevice device, InetAddress peer, ConnParam parameters, int ackTimeout) {
    super(id, device);
    this.peer = peer;
    this.receivePsn = device.engine().allocateStartPsn();
    this.pathMtu = device.pathMtu();
    this.ackTimeout = ackTimeout;
    this.retryCount = retries(parameters.retryCount());
    this.responderResources =
        depth(parameters.responderResources(), device.maxResponderResources());
  }

  /**
   * Sends the request.
   *
   * @param ackTimeout the local ACK timeout code
   */
  static ActiveConnection start(
      SoftCmId id,
      IdAddress address,
      ConnParam parameters,
      SoftQueuePair queuePair,
      int ackTimeout) {
    SoftDevice device = address.device();
    InetSocketAddress local = address.local();
    InetSocketAddress remote = address.remote();
    checkDepths("rdma_connect", parameters, device);
    if (parameters.privateDataLength() > MAX_PRIVATE_DATA) {
      throw SoftErrors.invalid("rdma_connect", parameters.toString());
    }
    ActiveConnection made =
        new ActiveConnection(id, device, remote.getAddress(), parameters, ackTimeout);
    CmaHeader header = new CmaHeader(local.getPort(), local.getAddress(), remote.getAddress());
    CmReqBuilder request =
        CmReq.builder()
            .serviceId(ServiceId.of(id.portSpace(), remote.getPort()))
            .localQpn(queuePair.number())
            .responderResources(made.responderResources)
            .initiatorDepth(depth(parameters.initiatorDepth(), device.maxInitiatorDepth()))
            .flowControl(parameters.flowControl() != 0)
            .startingPsn(made.receivePsn)
            .retryCount(made.retryCount)
            .rnrRetryCount(retries(parameters.rnrRetryCount()))
            .pathMtu(SoftDevice.mtuCode(made.pathMtu))
            .srq(id.usesSharedReceiveQueue())
            .localGid(local.getAddress())
            .remoteGid(remote.getAddress())
            .trafficClass(address.option(CmOption.TOS, 0))
            .privateData(header.before(parameters.privateData()));
    boolean anybody = device.isAnybodyAt(remote.getAddress());
    device
        .engine()
        .execute(
            () -> {
              if (anybody) {
                made.connection = device.agent().connect(made.peer, request, ackTimeout, made);
              } else {
                // This host can tell that nobody has the port, so nobody listens there.
                made.rejected(RejectReason.INVALID_SERVICE_ID, new byte[CmRej.PRIVATE_DATA_LENGTH]);
              }
            });
    return made;
  }

  @Override
  public void replied(CmRep reply) {
    id.events()
        .post(
            device,
            new PendingEvent(id) {
              @Override
              CmEvent read() {
                // As librdmacm: the queue pair gets ready in the thread that reads the event.
                return id.whileOpen(() -> device.call(() -> complete(reply)));
              }
            });
  }

  private CmEvent complete(CmRep reply) {
    if (connection == null || !connection.isReplied()) {
      return null;
    }
    ConnParam parameters = parameters(reply);
    SoftQueuePair queuePair = id.softQueuePair();
    if (queuePair == null) {
      return event(CmEventType.CONNECT_RESPONSE, 0, 0, parameters);
    }
    boolean tooMuch =
        reply.responderResources() > device.maxInitiatorDepth()
            || reply.initiatorDepth() > device.maxResponderResources();
    if (tooMuch || queuePair.state() != QueuePairState.INIT) {
      queuePair.toError();
      return event(CmEventType.CONNECT_ERROR, -1, Errno.EINVAL.number(), ConnParam.ZERO);
    }
    queuePair.connect(
        new ConnectionSetup(
            peer,
            reply.localQpn(),
            reply.startingPsn(),
            receivePsn,
            pathMtu,
            reply.responderResources(),
            reply.initiatorDepth(),
            ackTimeout,
            retryCount,
            reply.rnrRetryCount(),
            remoteAccess(responderResources)));
    connection.ready();
    return event(CmEventType.ESTABLISHED, 0, 0, parameters);
  }

  private CmEvent event(CmEventType type, int status, int errno, ConnParam parameters) {
    return new CmEvent(type.code(), status, errno, id, null, parameters);
  }

  /** The reply as its receiver would use it: depths mirrored, the retry count not told. */
  private static ConnParam parameters(CmRep reply) {
    return new ConnParam(
        reply.privateData(),
        reply.initiatorDepth(),
        reply.responderResources(),
        reply.flowControl() ? 1 : 0,
        0,
        reply.rnrRetryCount(),
        reply.srq(),
        reply.localQpn());
  }

  @Override
  public void established() {
    throw new IllegalStateException("an RTU for the side that sends it");
  }

  @Override
  public void rejected(int reason, byte[] privateData) {
    post(CmEventType.REJECTED, reason, dataOnly(privateData));
  }

  @Override
  public void unreachable() {
    post(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), ConnParam.ZERO);
  }

  @Override
  public void disconnected(int status) {
    postDisconnected(status);
  }

  @Override
  public void timewaitExit() {
    postTimewaitExit();
  }

  @Override
  void reject(byte[] privateData) {
    if (privateData.length > CmRej.PRIVATE_DATA_LENGTH
        || connection == null
        || !device.call(() -> connection.reject(privateData))) {
      throw SoftErrors.invalid("rdma_reject", "private data of " + privateData.length + " bytes");
    }
  }

  @Override
  void disconnect() {
    if (connection != null) {
      device.engine().execute(() -> connection.disconnect());
    }
  }

  @Override
  void destroy() {
    if (connection != null) {
      device.engine().execute(() -> connection.destroy());
    }
  }
}
