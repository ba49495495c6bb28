package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.wire.CmDrep;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmMra;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmRtu;
import io.vertxrdma.soft.wire.Mad;
import java.net.InetAddress;

/** Writes and sends the messages of one connection. */
final class Correspondence {

  private static final byte[] NO_DATA = {};

  /** How long an application may take: the kernel's CMA_CM_MRA_SETTING, 65.5 s. */
  private static final int MRA_SERVICE_TIMEOUT = 24;

  private final CmAgent agent;
  private final InetAddress peer;
  private final int localId;
  private final long transactionId;
  private final Retransmission outgoing;
  private int remoteId;

  Correspondence(CmAgent agent, InetAddress peer, int localId, long transactionId) {
    this.agent = agent;
    this.peer = peer;
    this.localId = localId;
    this.transactionId = transactionId;
    this.outgoing = new Retransmission(agent, peer);
  }

  InetAddress peer() {
    return peer;
  }

  int localId() {
    return localId;
  }

  int remoteId() {
    return remoteId;
  }

  void setRemoteId(int remoteId) {
    this.remoteId = remoteId;
  }

  /** Sends a REQ or REP until {@link #stop()}. */
  void transmit(CmMessage message, long intervalMillis, int retries, Runnable unanswered) {
    transmit(transactionId, message, intervalMillis, retries, unanswered);
  }

  /** Sends a DREQ until {@link #stop()}. */
  void transmitDisconnect(int remoteQpn, long intervalMillis, int retries, Runnable unanswered) {
    transmit(agent.nextTransactionId(), disconnect(remoteQpn), intervalMillis, retries, unanswered);
  }

  private void transmit(
      long transaction, CmMessage message, long intervalMillis, int retries, Runnable unanswered) {
    outgoing.start(new Mad(transaction, message).encode(), intervalMillis, retries, unanswered);
  }

  void stop() {
    outgoing.stop();
  }

  void extend(long millis) {
    outgoing.extend(millis);
  }

  void sendReady() {
    agent.send(peer, transactionId, new CmRtu(localId, remoteId, NO_DATA));
  }

  /** Asks the peer, which repeats a message, to wait for the application. */
  void askForPatience(int message) {
    agent.send(
        peer, transactionId, new CmMra(localId, remoteId, message, MRA_SERVICE_TIMEOUT, NO_DATA));
  }

  void sendReject(int message, int reason, byte[] information, byte[] privateData) {
    agent.send(
        peer,
        transactionId,
        new CmRej(localId, remoteId, message, reason, information, privateData));
  }

  /** Rejects a reply before its number is known. */
  void rejectReply(int replyId, int reason) {
    agent.send(
        peer,
        transactionId,
        new CmRej(localId, replyId, CmRej.REJECTS_REP, reason, NO_DATA, NO_DATA));
  }

  /** Once only: nobody is left who would wait for the answer. */
  void sendDisconnect(int remoteQpn) {
    agent.send(peer, agent.nextTransactionId(), disconnect(remoteQpn));
  }

  /** A rejection of nothing in particular. */
  CmRej reject(int reason, byte[] information) {
    return new CmRej(localId, remoteId, CmRej.REJECTS_OTHER, reason, information, NO_DATA);
  }

  CmDreq disconnect(int remoteQpn) {
    return new CmDreq(localId, remoteId, remoteQpn, NO_DATA);
  }

  void answerDisconnect(long transaction) {
    agent.send(peer, transaction, new CmDrep(localId, remoteId, NO_DATA));
  }
}
