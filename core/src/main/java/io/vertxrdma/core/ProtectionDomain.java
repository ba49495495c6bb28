package io.vertxrdma.core;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** Groups the queue pairs and memory that may work together ({@code struct ibv_pd}). */
public interface ProtectionDomain extends AutoCloseable {

  /** The device it belongs to. */
  DeviceContext device();

  /**
   * Registers the bytes from position to limit of a direct buffer. Blocking: pins pages. The buffer
   * is kept reachable until the region is closed.
   *
   * @throws IllegalArgumentException for a heap buffer, an empty one, a read-only buffer with write
   *     access, or REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE
   * @throws MemoryLockException when the locked memory limit is too low
   */
  MemoryRegion register(ByteBuffer buffer, Set<AccessFlag> access);

  /** Creates a shared receive queue. Blocking. */
  SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather);

  /**
   * Creates an address handle for a path ({@code ibv_create_ah}). Blocking: on some devices it asks
   * the network for the peer's link address.
   *
   * @throws RdmaException with the errno of the refusal, for example EINVAL for a port or an entry
   *     of the GID table that the device does not have
   */
  AddressHandle createAddressHandle(AddressHandleAttributes attributes);

  /**
   * Creates an address handle for an IP address, on RoCE devices. Blocking.
   *
   * @param source an address of this device, of the same family; it says which port and which entry
   *     of its GID table are used
   * @param destination the peer
   * @throws AddressException when the device does not have the source address
   * @throws IllegalArgumentException when the addresses are of two families, or the destination is
   *     a wildcard
   */
  AddressHandle createAddressHandle(InetAddress source, InetAddress destination);

  /**
   * Creates an address handle that leads back to the sender of a datagram ({@code
   * ibv_create_ah_from_wc}). Blocking.
   *
   * @param completions holds the receive completion
   * @param index which one it is
   * @param receiveBuffer what that receive filled: from its position on it has the {@value
   *     WorkCompletions#GLOBAL_ROUTING_HEADER_LENGTH} bytes in front of the payload
   * @param port the device port of the receiving queue pair, see {@link CmId#port()}
   * @throws IllegalArgumentException when there are fewer bytes than that
   * @throws RdmaException when there is no way back, for example because the header is broken
   */
  AddressHandle createAddressHandle(
      WorkCompletions completions, int index, ByteBuffer receiveBuffer, int port);

  /** Frees the domain. Blocking. Idempotent. */
  @Override
  void close();
}
