package io.vertxrdma.soft.wire;

import io.vertxrdma.core.PortSpace;

/** Service ids of the RDMA CM: port space and port in one number. */
public final class ServiceId {
  private ServiceId() {}

  /** The service id of a port. */
  public static long of(PortSpace space, int port) {
    return (long) space.code() << 16 | port & 0xFFFF;
  }

  /** The port of a service id of that port space, or -1 when it is not of that space. */
  public static int port(long serviceId, PortSpace space) {
    return serviceId >>> 16 == space.code() ? (int) (serviceId & 0xFFFF) : -1;
  }
}
