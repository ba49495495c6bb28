package io.vertxrdma.core;

import java.net.InetSocketAddress;

/**
 * A communication identifier ({@code struct rdma_cm_id}): one listener, or one connection attempt
 * and the connection that came of it. It can't be used for a second attempt.
 */
public interface CmId extends AutoCloseable {

  /** The port space it was created in. */
  PortSpace portSpace();

  /**
   * Sets an option; before bind or connect, see rdma_set_option(3).
   *
   * @throws RdmaException with the errno of the refusal
   */
  void setOption(CmOption option, int value);

  /**
   * Binds to a local address; port 0 lets the CM choose.
   *
   * @throws AddressInUseException when the port is taken
   * @throws AddressException when no RDMA device has the address
   */
  void bind(InetSocketAddress local);

  /**
   * Starts to listen.
   *
   * @param backlog CONNECT_REQUEST events the kernel keeps unread; 0 or less means its maximum.
   *     When it is full, requests are dropped in silence and the peer's CM tries again
   */
  void listen(int backlog);

  /**
   * Starts address resolution; ends with ADDR_RESOLVED or ADDR_ERROR.
   *
   * @param source the local address, or null for the one the route gives
   * @param destination whom to reach
   * @param timeoutMillis for the neighbour lookup, 1 or more
   */
  void resolveAddress(InetSocketAddress source, InetSocketAddress destination, int timeoutMillis);

  /** Starts route resolution; ends with ROUTE_RESOLVED or ROUTE_ERROR. */
  void resolveRoute(int timeoutMillis);

  /**
   * Creates the id's queue pair. Blocking: milliseconds. Only once the device is known, that is
   * after ADDR_RESOLVED, on the id of a CONNECT_REQUEST, or, for datagrams, when it is bound to an
   * address of a device.
   */
  QueuePair createQueuePair(ProtectionDomain pd, QueuePairInit init);

  /**
   * Sends the connection request; ends with ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR. A
   * datagram id asks for the peer's queue pair: ESTABLISHED has {@link CmEvent#udParam()}, and
   * being rejected is UNREACHABLE with a positive status. It needs no queue pair for that.
   *
   * @throws IllegalStateException when the id of a connection has no queue pair
   */
  void connect(ConnParam parameters);

  /**
   * Accepts a request; ends with ESTABLISHED or a failure event. If the kernel refuses, the peer
   * has been rejected. On a datagram id no event follows: the answer is sent once, and nobody says
   * whether it arrived. Without a queue pair of its own it answers with {@link
   * ConnParam#queuePairNumber()}, so that one queue pair can serve many.
   *
   * @throws IllegalStateException when the id has no queue pair (librdmacm would crash), and for a
   *     datagram id when no number is given either
   */
  void accept(ConnParam parameters);

  /** Rejects a request, with data for the peer (may be empty or null). */
  void reject(byte[] privateData);

  /** Starts, or answers, a disconnect. Harmless when the peer was first. */
  void disconnect();

  /** Moves the id and its pending events to another channel. Blocking. */
  void migrate(CmEventChannel channel);

  /** The device, or null while it is not known (before ADDR_RESOLVED; wildcard listeners). */
  DeviceContext device();

  /** The local address, port 0 while unbound; null when the id has none yet. */
  InetSocketAddress localAddress();

  /** The peer's address, or null while there is none. */
  InetSocketAddress remoteAddress();

  /** The device port the id is bound to, 0 while unknown. */
  int port();

  /** The queue pair made by {@link #createQueuePair}, or null. */
  QueuePair queuePair();

  /** What the layer above keeps with this id, or null. */
  Object attachment();

  /** Sets what the layer above keeps with this id. */
  void setAttachment(Object attachment);

  /** Whether {@link #close()} was called. */
  boolean isClosed();

  /**
   * Destroys the queue pair if there is one, then the id. Blocking. Idempotent. An established
   * connection is disconnected, an unanswered request rejected. Events not read yet are dropped.
   */
  @Override
  void close();
}
