package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;

/** Who listens on a port; called under the device lock. */
public interface CmListener {

  /**
   * Takes a request for a connection.
   *
   * @return false when the backlog is full: the request is dropped in silence, the peer tries again
   */
  boolean requested(CmConnection connection, CmReq request, CmaHeader header);

  /** Takes a request for a datagram queue pair, likewise. */
  boolean requested(SidrRequest sidr, CmSidrReq request, CmaHeader header);
}
