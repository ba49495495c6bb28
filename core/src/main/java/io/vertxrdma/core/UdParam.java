package io.vertxrdma.core;

import java.util.Objects;

/**
 * What the peer answered to a datagram id's request ({@code struct rdma_ud_param}): how to reach
 * its queue pair.
 *
 * @param address the path, for {@link ProtectionDomain#createAddressHandle}
 * @param queuePairNumber the peer's queue pair, 24 bits
 * @param queueKey the Q_Key datagrams to it must carry
 */
public record UdParam(AddressHandleAttributes address, int queuePairNumber, int queueKey) {

  /**
   * The Q_Key of every datagram queue pair that an id of port space {@link PortSpace#UDP} makes
   * ({@code RDMA_UDP_QKEY}).
   */
  public static final int DEFAULT_QUEUE_KEY = 0x0123_4567;

  /** Checks what may not be null. */
  public UdParam {
    Objects.requireNonNull(address, "address");
  }
}
