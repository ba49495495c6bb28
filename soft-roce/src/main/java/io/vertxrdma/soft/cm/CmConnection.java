package io.vertxrdma.soft.cm;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmMra;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;
import java.net.InetAddress;

/**
 * One connection as the InfiniBand CM sees it ({@code struct cm_id_private}): what may be sent and
 * what an arriving message means in each state (kernel core/cm.c).
 *
 * <p>Everything is called under the device lock. Methods that answer false refuse because of the
 * state, where the kernel says EINVAL, and changed nothing.
 */
public final class CmConnection {

  private static final byte[] NO_DATA = {};

  /** The longest timewait, 8 s: a peer that asks for hours would only fill our memory. */
  private static final int MAX_TIMEWAIT = 21;

  /**
   * Milliseconds between two REPs at least, if our own interval isn't shorter: the address may be
   * forged, and a request must not make us send fast to somebody who asked for nothing. How often
   * is the request's four bits to say, as with the kernel's CM: fewer would not get through a link
   * that loses a fifth of its packets.
   */
  private static final long MIN_REPLY_MILLIS = 500;

  private final CmAgent agent;
  private final Correspondence messages;
  private CmUser user;
  private CmState state = CmState.IDLE;
  private long remoteGuid;
  private int localQpn;
  private int remoteQpn;
  private int ackTimeout;
  private long intervalMillis;
  private int retries;
  private long dreqTransactionId;
  private boolean patienceAsked;
  private boolean active;
  private CmListener halfOpenAt;

  CmConnection(CmAgent agent, int localId, InetAddress peer, long transactionId) {
    this.agent = agent;
    this.messages = new Correspondence(agent, peer, localId, transactionId);
  }

  /** Our number for the connection. */
  public int localId() {
    return messages.localId();
  }

  /** The peer's number for it, 0 while unknown. */
  public int remoteId() {
    return messages.remoteId();
  }

  /** The peer. */
  public InetAddress peer() {
    return messages.peer();
  }

  /** The state. */
  public CmState state() {
    return state;
  }

  /** Passive: whether the request can be answered. */
  public boolean isRequested() {
    return state == CmState.REQ_RECEIVED;
  }

  /** Active: whether the peer accepted and {@link #ready()} is due. */
  public boolean isReplied() {
    return state == CmState.REP_RECEIVED;
  }

  /** Who is told from now on; a passive connection has nobody until its request is taken. */
  public void setUser(CmUser user) {
    this.user = user;
  }

  long remoteGuid() {
    return remoteGuid;
  }

  int remoteQpn() {
    return remoteQpn;
  }

  int ackTimeout() {
    return ackTimeout;
  }

  // The active side.

  void startRequest(CmReq request, int ackTimeout) {
    active = true;
    this.localQpn = request.localQpn();
    this.ackTimeout = ackTimeout;
    this.intervalMillis = agent.options().requestMillis();
    this.retries = agent.options().maxRetries();
    state = CmState.REQ_SENT;
    messages.transmit(request, intervalMillis, retries, this::unanswered);
  }

  void replyArrived(CmRep reply) {
    if (remoteId() != 0 || state != CmState.REQ_SENT) {
      repeatedReply(reply);
      return;
    }
    if (agent.isStale(peer(), reply.localCaGuid(), reply.localQpn())) {
      messages.rejectReply(reply.localCommId(), RejectReason.STALE_CONNECTION);
      return;
    }
    messages.stop();
    state = CmState.REP_RECEIVED;
    messages.setRemoteId(reply.localCommId());
    remoteGuid = reply.localCaGuid();
    remoteQpn = reply.localQpn();
    agent.tables().addRemote(this);
    if (user != null) {
      user.replied(reply);
    }
  }

  private void repeatedReply(CmRep reply) {
    agent.countDuplicate();
    if (reply.localCommId() != remoteId()) {
      return;
    }
    if (state == CmState.ESTABLISHED && active) {
      messages.sendReady();
    } else if (state == CmState.REP_RECEIVED) {
      messages.askForPatience(CmRej.REJECTS_REP);
    }
  }

  /** Our queue pair is ready: sends the RTU. */
  public boolean ready() {
    if (state != CmState.REP_RECEIVED) {
      return false;
    }
    state = CmState.ESTABLISHED;
    messages.sendReady();
    return true;
  }

  // The passive side.

  void requestArrived(CmReq request, CmListener listener) {
    messages.setRemoteId(request.localCommId());
    remoteGuid = request.localCaGuid();
    remoteQpn = request.localQpn();
    ackTimeout = request.localAckTimeout();
    long wanted = CmOptions.millis(request.localCmResponseTimeout());
    intervalMillis = Math.min(agent.options().replyMillis(), Math.max(wanted, MIN_REPLY_MILLIS));
    retries = Math.min(request.maxCmRetries(), agent.options().maxRetries());
    state = CmState.REQ_RECEIVED;
    halfOpenAt = listener;
    agent.halfOpen().add(listener, peer());
    agent.tables().addRemote(this);
  }

  /** Forgets a request nobody took, without a word to the peer. */
  void forget() {
    user = null;
    toIdle();
  }

  void repeatedRequest() {
    agent.countDuplicate();
    if (state == CmState.REQ_RECEIVED) {
      messages.askForPatience(CmRej.REJECTS_REQ);
    } else if (state == CmState.TIMEWAIT) {
      messages.sendReject(CmRej.REJECTS_REQ, RejectReason.STALE_CONNECTION, NO_DATA, NO_DATA);
    }
  }

  /**
   * Accepts: sends the REP until the RTU comes.
   *
   * @param ackTimeout the queue pair's local ACK timeout, which is also the time of timewait
   */
  public boolean reply(CmRep reply, int ackTimeout) {
    if (state != CmState.REQ_RECEIVED) {
      return false;
    }
    this.ackTimeout = ackTimeout;
    localQpn = reply.localQpn();
    state = CmState.REP_SENT;
    patienceAsked = false;
    messages.transmit(reply, intervalMillis, retries, this::unanswered);
    return true;
  }

  void readyArrived() {
    if (state != CmState.REP_SENT) {
      agent.countDuplicate();
      return;
    }
    messages.stop();
    state = CmState.ESTABLISHED;
    notHalfOpen();
    if (user != null) {
      user.established();
    }
  }

  // Both sides.

  /** Says no, with up to 148 bytes. */
  public boolean reject(byte[] privateData) {
    return reject(RejectReason.CONSUMER_DEFINED, NO_DATA, privateData);
  }

  private boolean reject(int reason, byte[] information, byte[] privateData) {
    CmState before = state;
    if (before == CmState.REP_SENT) {
      toTimewait();
    } else if (before == CmState.REQ_SENT
        || before == CmState.REQ_RECEIVED
        || before == CmState.REP_RECEIVED) {
      toIdle();
    } else {
      return false;
    }
    int message =
        switch (before) {
          case REQ_RECEIVED -> CmRej.REJECTS_REQ;
          case REP_RECEIVED -> CmRej.REJECTS_REP;
          default -> CmRej.REJECTS_OTHER;
        };
    messages.sendReject(message, reason, information, privateData);
    return true;
  }

  void rejectArrived(CmRej reject) {
    boolean stale = reject.reason() == RejectReason.STALE_CONNECTION;
    switch (state) {
      case REQ_SENT, REQ_RECEIVED, REP_SENT -> {
        if (stale) {
          toTimewait();
        } else {
          toIdle();
        }
      }
      case REP_RECEIVED, ESTABLISHED, DREQ_SENT -> toTimewait();
      default -> {
        agent.countDuplicate();
        return;
      }
    }
    if (user != null) {
      user.rejected(reject.reason(), reject.privateData());
    }
  }

  void patienceArrived(CmMra mra) {
    boolean expected =
        mra.message() == CmRej.REJECTS_REQ
            ? state == CmState.REQ_SENT
            : mra.message() == CmRej.REJECTS_REP && state == CmState.REP_SENT;
    if (!expected || patienceAsked) {
      agent.countDuplicate();
      return;
    }
    patienceAsked = true;
    messages.extend(
        Math.max(
            intervalMillis, CmOptions.millis(mra.serviceTimeout()) + CmOptions.millis(ackTimeout)));
  }

  /** Starts the disconnect, or answers the peer's. */
  public boolean disconnect() {
    if (state == CmState.ESTABLISHED) {
      state = CmState.DREQ_SENT;
      messages.transmitDisconnect(remoteQpn, intervalMillis, retries, this::unanswered);
      return true;
    }
    if (state == CmState.DREQ_RECEIVED) {
      messages.answerDisconnect(dreqTransactionId);
      toTimewait();
      return true;
    }
    return false;
  }

  void disconnectArrived(CmDreq request, long transaction) {
    if (request.remoteQpn() != localQpn) {
      agent.countStranger();
      return;
    }
    switch (state) {
      case REP_SENT, ESTABLISHED, DREQ_SENT -> {
        messages.stop();
        notHalfOpen();
        dreqTransactionId = transaction;
        state = CmState.DREQ_RECEIVED;
        if (user != null) {
          user.disconnected(0);
        }
      }
      case TIMEWAIT -> {
        agent.countDuplicate();
        messages.answerDisconnect(transaction);
      }
      default -> agent.countDuplicate();
    }
  }

  void disconnectAnswered() {
    if (state != CmState.DREQ_SENT && state != CmState.DREQ_RECEIVED) {
      agent.countDuplicate();
      return;
    }
    toTimewait();
    if (user != null) {
      user.disconnected(0);
    }
  }

  /** Nobody answered, however often the message was sent. */
  private void unanswered() {
    if (state == CmState.DREQ_SENT) {
      toTimewait();
      if (user != null) {
        user.disconnected(-Errno.ETIMEDOUT.number());
      }
      return;
    }
    toIdle();
    if (user != null) {
      user.unreachable();
    }
  }

  /** Ends it, whatever its state, and tells the user nothing any more. */
  public void destroy() {
    user = null;
    switch (state) {
      case REQ_SENT -> reject(RejectReason.TIMEOUT, agent.caGuidBytes(), NO_DATA);
      case REQ_RECEIVED, REP_RECEIVED, REP_SENT -> reject(NO_DATA);
      case ESTABLISHED -> {
        messages.sendDisconnect(remoteQpn);
        toTimewait();
      }
      case DREQ_SENT -> toTimewait();
      case DREQ_RECEIVED -> disconnect();
      default -> {
        // Already over.
      }
    }
    agent.tables().removeLocal(this);
  }

  /**
   * What the kernel would say if the process ended now, as {@link #destroy()} does; nothing
   * changes. Null when the peer expects nothing.
   */
  CmMessage farewell() {
    return switch (state) {
      case REQ_SENT -> messages.reject(RejectReason.TIMEOUT, agent.caGuidBytes());
      case REQ_RECEIVED, REP_RECEIVED, REP_SENT ->
          messages.reject(RejectReason.CONSUMER_DEFINED, NO_DATA);
      case ESTABLISHED -> messages.disconnect(remoteQpn);
      default -> null;
    };
  }

  private void toIdle() {
    messages.stop();
    notHalfOpen();
    state = CmState.IDLE;
    agent.tables().remove(this);
  }

  private void toTimewait() {
    messages.stop();
    notHalfOpen();
    state = CmState.TIMEWAIT;
    agent.later(CmOptions.millis(Math.min(ackTimeout, MAX_TIMEWAIT)), this::leaveTimewait);
  }

  private void leaveTimewait() {
    toIdle();
    if (user != null) {
      user.timewaitExit();
    }
  }

  private void notHalfOpen() {
    if (halfOpenAt != null) {
      agent.halfOpen().remove(halfOpenAt, peer());
      halfOpenAt = null;
    }
  }

  @Override
  public String toString() {
    return "connection 0x"
        + Integer.toHexString(localId())
        + " to "
        + peer().getHostAddress()
        + " ("
        + state
        + ")";
  }
}
