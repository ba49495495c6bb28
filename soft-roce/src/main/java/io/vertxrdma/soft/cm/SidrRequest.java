package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmSidrReq;
import java.net.InetAddress;

/** A peer that asks for our datagram queue pair, until it is answered once. */
public final class SidrRequest {

  private final CmAgent agent;
  private final InetAddress peer;
  private final long transactionId;
  private final CmSidrReq request;
  private final CmListener listener;
  private boolean answered;

  SidrRequest(
      CmAgent agent, InetAddress peer, long transactionId, CmSidrReq request, CmListener listener) {
    this.agent = agent;
    this.peer = peer;
    this.transactionId = transactionId;
    this.request = request;
    this.listener = listener;
  }

  InetAddress peer() {
    return peer;
  }

  CmSidrReq request() {
    return request;
  }

  CmListener listener() {
    return listener;
  }

  /** Answers with a queue pair; false when it was answered already. */
  public boolean accept(int qpn, int qkey, byte[] privateData) {
    return answer(CmSidrRep.STATUS_VALID, qpn, qkey, privateData);
  }

  /** Says no; false when it was answered already. */
  public boolean reject(byte[] privateData) {
    return answer(CmSidrRep.STATUS_REJECTED, 0, 0, privateData);
  }

  private boolean answer(int status, int qpn, int qkey, byte[] privateData) {
    if (!forget()) {
      return false;
    }
    agent.send(
        peer,
        transactionId,
        new CmSidrRep(request.requestId(), status, qpn, request.serviceId(), qkey, privateData));
    return true;
  }

  /** Ends it without an answer. */
  boolean forget() {
    if (answered) {
      return false;
    }
    answered = true;
    agent.sidr().ended(this);
    return true;
  }
}
