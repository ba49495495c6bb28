package io.vertxrdma.soft.cm;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.CmDrep;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmMra;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmReqBuilder;
import io.vertxrdma.soft.wire.CmRtu;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection manager of one device: directs messages to their connections, takes new requests,
 * and answers on behalf of connections it doesn't know. Called under the device lock.
 */
public final class CmAgent {

  private static final Logger LOG = LoggerFactory.getLogger(CmAgent.class);
  private static final byte[] NO_DATA = {};
  private static final int INVALID_TRANSPORT = 9;
  private static final int INVALID_MTU = 26;

  private final CmPort port;
  private final CmOptions options;
  private final long caGuid;
  private final CmDirectory directory;
  private final CmTables tables;
  private final HalfOpen halfOpen;
  private final SidrService sidr;
  private int lastId;
  private long lastTransaction;
  private boolean closed;

  /**
   * Makes the agent of a device.
   *
   * @param caGuid tells this instance of the device from all others, for ever
   */
  public CmAgent(CmPort port, CmOptions options, long caGuid, CmDirectory directory) {
    this.port = port;
    this.options = options;
    this.caGuid = caGuid;
    this.directory = directory;
    this.tables = new CmTables(port::connectionsExist);
    this.halfOpen = new HalfOpen(options);
    this.sidr = new SidrService(this, directory);
    // Numbers nobody can guess: a stranger that doesn't see our packets can't forge an answer.
    SecureRandom random = new SecureRandom();
    this.lastId = random.nextInt();
    this.lastTransaction = random.nextLong();
  }

  CmPort port() {
    return port;
  }

  CmOptions options() {
    return options;
  }

  CmTables tables() {
    return tables;
  }

  HalfOpen halfOpen() {
    return halfOpen;
  }

  /** Requests and lookups for datagram queue pairs. */
  public SidrService sidr() {
    return sidr;
  }

  /** This device's number, for the messages. */
  public long caGuid() {
    return caGuid;
  }

  byte[] caGuidBytes() {
    return ByteBuffer.allocate(Long.BYTES).putLong(caGuid).array();
  }

  /**
   * Asks a peer for a connection.
   *
   * @param request everything but what the agent fills in: ids, device, timeouts
   */
  public CmConnection connect(InetAddress peer, CmReqBuilder request, int ackTimeout, CmUser user) {
    CmConnection connection = new CmConnection(this, nextId(), peer, nextTransactionId());
    connection.setUser(user);
    tables.addLocal(connection);
    connection.startRequest(
        request
            .localCommId(connection.localId())
            .localCaGuid(caGuid)
            .localCmResponseTimeout(options.responseTimeoutCode())
            .remoteCmResponseTimeout(options.responseTimeoutCode())
            .maxCmRetries(options.maxRetries())
            .localAckTimeout(ackTimeout)
            .build(),
        ackTimeout);
    return connection;
  }

  /** One management datagram of 256 bytes, whatever they are. */
  public void datagram(InetAddress source, ByteBuffer bytes) {
    if (closed) {
      return;
    }
    port.counters().increment(Name.CM_RECEIVED);
    Mad.Decoded decoded = Mad.decode(bytes);
    if (decoded.mad() == null) {
      port.counters().increment(Name.DROP_BAD_MAD);
      LOG.debug("dropped a management datagram of {}: {}", source, decoded.problem());
      return;
    }
    dispatch(source, decoded.mad());
  }

  private void dispatch(InetAddress source, Mad mad) {
    CmMessage message = mad.message();
    LOG.trace("{} from {}", message, source);
    if (message instanceof CmReq request) {
      requestArrived(source, mad, request);
    } else if (message instanceof CmSidrReq request) {
      sidr.requestArrived(source, mad.transactionId(), request);
    } else if (message instanceof CmSidrRep reply) {
      sidr.replyArrived(source, reply);
    } else if (message instanceof CmDreq request) {
      disconnectArrived(source, mad, request);
    } else {
      answerArrived(source, message);
    }
  }

  private void answerArrived(InetAddress source, CmMessage message) {
    CmConnection connection = addressee(source, message);
    if (connection == null) {
      countStranger();
    } else if (message instanceof CmRep reply) {
      connection.replyArrived(reply);
    } else if (message instanceof CmRtu) {
      connection.readyArrived();
    } else if (message instanceof CmRej reject) {
      connection.rejectArrived(reject);
    } else if (message instanceof CmMra mra) {
      connection.patienceArrived(mra);
    } else if (message instanceof CmDrep) {
      connection.disconnectAnswered();
    }
  }

  /** A sender that had no number of ours yet, or the peer none of its own, is found otherwise. */
  private CmConnection addressee(InetAddress source, CmMessage message) {
    if (message instanceof CmRep reply) {
      return tables.local(reply.remoteCommId(), source);
    }
    if (message instanceof CmRej reject) {
      if (reject.reason() == RejectReason.TIMEOUT && reject.information().length >= Long.BYTES) {
        long guid = ByteBuffer.wrap(reject.information()).getLong();
        return tables.remote(source, guid, reject.localCommId());
      }
      return reject.message() == CmRej.REJECTS_REQ
          ? tables.local(reject.remoteCommId(), source)
          : tables.exact(reject.remoteCommId(), reject.localCommId(), source);
    }
    if (message instanceof CmMra mra) {
      return mra.message() == CmRej.REJECTS_REQ
          ? tables.local(mra.remoteCommId(), source)
          : tables.exact(mra.remoteCommId(), mra.localCommId(), source);
    }
    if (message instanceof CmRtu ready) {
      return tables.exact(ready.remoteCommId(), ready.localCommId(), source);
    }
    CmDrep answer = (CmDrep) message;
    return tables.exact(answer.remoteCommId(), answer.localCommId(), source);
  }

  private void disconnectArrived(InetAddress source, Mad mad, CmDreq request) {
    CmConnection connection = tables.exact(request.remoteCommId(), request.localCommId(), source);
    if (connection != null) {
      connection.disconnectArrived(request, mad.transactionId());
      return;
    }
    // We forgot it, or never knew it: the peer may forget it too.
    countStranger();
    send(
        source,
        mad.transactionId(),
        new CmDrep(request.remoteCommId(), request.localCommId(), NO_DATA));
  }

  private void requestArrived(InetAddress source, Mad mad, CmReq request) {
    CmConnection known = tables.ofRequest(source, request);
    if (known != null) {
      known.repeatedRequest();
      return;
    }
    int reason = reasonAgainst(source, request);
    if (reason == 0) {
      CmListener listener = listener(request);
      if (listener == null) {
        reason =
            directory.isListening(PortSpace.TCP, ServiceId.port(request.serviceId(), PortSpace.TCP))
                ? RejectReason.CONSUMER_DEFINED
                : RejectReason.INVALID_SERVICE_ID;
      } else {
        offer(source, mad, request, listener);
        return;
      }
    }
    send(
        source,
        mad.transactionId(),
        new CmRej(0, request.localCommId(), CmRej.REJECTS_REQ, reason, NO_DATA, NO_DATA));
  }

  /** Why a request can't be served whoever listens; 0 for no reason. */
  private int reasonAgainst(InetAddress source, CmReq request) {
    if (request.transport() != CmReq.TRANSPORT_RC) {
      return INVALID_TRANSPORT;
    }
    if (isStale(source, request.localCaGuid(), request.localQpn())) {
      return RejectReason.STALE_CONNECTION;
    }
    return request.pathMtu() < 1 || request.pathMtu() > port.maxPathMtuCode() ? INVALID_MTU : 0;
  }

  private CmListener listener(CmReq request) {
    int number = ServiceId.port(request.serviceId(), PortSpace.TCP);
    return number < 0 ? null : directory.listener(PortSpace.TCP, number, port.localAddress());
  }

  private void offer(InetAddress source, Mad mad, CmReq request, CmListener listener) {
    CmaHeader header = request.cmaHeader();
    CmConnection connection = new CmConnection(this, nextId(), source, mad.transactionId());
    if (header == null || !header.destinationAddress().equals(port.localAddress())) {
      send(
          source,
          mad.transactionId(),
          new CmRej(
              connection.localId(),
              request.localCommId(),
              CmRej.REJECTS_REQ,
              RejectReason.CONSUMER_DEFINED,
              NO_DATA,
              NO_DATA));
      return;
    }
    if (!halfOpen.hasRoom(listener, source)) {
      port.counters().increment(Name.DROP_BACKLOG);
      return;
    }
    tables.addLocal(connection);
    connection.requestArrived(request, listener);
    if (!listener.requested(connection, request, header)) {
      port.counters().increment(Name.DROP_BACKLOG);
      connection.forget();
    }
  }

  /**
   * Whether a peer's queue pair has a connection with us already. If that connection still stands
   * it is ended: the peer has forgotten it.
   */
  boolean isStale(InetAddress source, long guid, int qpn) {
    CmConnection old = tables.ofQueuePair(source, guid, qpn);
    if (old == null) {
      return false;
    }
    if (old.state() == CmState.ESTABLISHED) {
      old.disconnect();
    }
    return true;
  }

  void send(InetAddress destination, long transactionId, CmMessage message) {
    LOG.trace("{} to {}", message, destination);
    send(destination, new Mad(transactionId, message).encode());
  }

  void send(InetAddress destination, ByteBuffer mad) {
    if (!closed) {
      port.counters().increment(Name.CM_SENT);
      port.send(destination, mad);
    }
  }

  void later(long millis, Runnable task) {
    port.timers()
        .schedule(
            TimeUnit.MILLISECONDS.toNanos(millis),
            () ->
                port.execute(
                    () -> {
                      if (!closed) {
                        task.run();
                      }
                    }));
  }

  int nextId() {
    do {
      lastId++;
    } while (lastId == 0 || !tables.isFree(lastId));
    return lastId;
  }

  long nextTransactionId() {
    return ++lastTransaction;
  }

  void countStranger() {
    port.counters().increment(Name.DROP_STRANGE_MAD);
  }

  void countDuplicate() {
    port.counters().increment(Name.CM_DUPLICATES);
  }

  /** What the peers have to be told when this process ends now; nothing changes. */
  public List<Farewell> farewells() {
    List<Farewell> all = new ArrayList<>();
    for (CmConnection connection : tables.all()) {
      CmMessage last = connection.farewell();
      if (last != null) {
        all.add(new Farewell(connection.peer(), new Mad(nextTransactionId(), last).encode()));
      }
    }
    return all;
  }

  /** Ends all connections in silence; nothing is sent or told any more. Idempotent. */
  public void close() {
    closed = true;
    tables.all().forEach(CmConnection::forget);
    sidr.close();
  }
}
