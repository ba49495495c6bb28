package io.vertxrdma.reactive.metrics;

/** The steps of connecting that are timed. */
public enum ConnectStep {
  /** Active: from rdma_resolve_addr to its event. */
  RESOLVE_ADDRESS,
  /** Active: from rdma_resolve_route to its event. */
  RESOLVE_ROUTE,
  /** Active: from rdma_connect to the peer's answer. */
  CONNECT,
  /** Passive: from the application's accept to the established connection. */
  ACCEPT
}
