package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.wire.CmRep;

/** Is told what happens to a connection; called under the device lock. */
public interface CmUser {

  /** Active: the peer accepts; {@link CmConnection#ready()} is due. */
  void replied(CmRep reply);

  /** Passive: the peer is ready. */
  void established();

  /**
   * The peer, or its connection manager, said no.
   *
   * @param reason {@link io.vertxrdma.core.RejectReason}
   * @param privateData the whole field
   */
  void rejected(int reason, byte[] privateData);

  /** No answer to our REQ or REP. */
  void unreachable();

  /**
   * The connection ended.
   *
   * @param status 0, or -110 when the peer did not answer our DREQ
   */
  void disconnected(int status);

  /** The connection's numbers are free again. */
  void timewaitExit();
}
