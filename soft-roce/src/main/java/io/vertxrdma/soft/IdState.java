package io.vertxrdma.soft;

/** States of the kernel's id ({@code enum rdma_cm_state}), as far as calls depend on them. */
enum IdState {
  /** New. */
  IDLE,
  /** Has a local port. */
  BOUND,
  /** Listens. */
  LISTENING,
  /** Knows which device leads to the peer. */
  ADDRESS_RESOLVED,
  /** May connect. */
  ROUTE_RESOLVED,
  /** Asked a peer, or was asked. */
  CONNECT
}
