package io.vertxrdma.core;

/** What carries RDMA on a device; decides the private data limits and what immediates can do. */
public enum TransportType {
  /** InfiniBand. */
  INFINIBAND,
  /** RDMA over converged Ethernet, in hardware or software. */
  ROCE,
  /** iWARP: no InfiniBand CM, usually no immediates. */
  IWARP,
  /** Anything else. */
  OTHER
}
