package io.vertxrdma.core;

/**
 * Where datagrams of a protection domain's queue pairs can go ({@code struct ibv_ah}): a path to a
 * port, without the queue pair there. Any number of sends may use it at once.
 *
 * <p>Close it once the sends posted with it have completed: a device may look at it until then (rxe
 * fails such a send with "local QP operation error").
 */
public interface AddressHandle extends AutoCloseable {

  /** The domain it belongs to; only queue pairs of the same domain can use it. */
  ProtectionDomain protectionDomain();

  /** Destroys it. Blocking. Idempotent. Posting a send with a closed handle is refused. */
  @Override
  void close();
}
