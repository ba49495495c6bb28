package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Where datagrams of a domain can go: on RoCE that is an IP address. */
final class SoftAddressHandle extends SoftObject implements AddressHandle {

  static final String KIND = "address handles";

  private static final int GRH = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;
  private static final int IPV4_AT = 20;
  private static final int IPV4_SOURCE_AT = IPV4_AT + 12;
  private static final int IPV6_SOURCE_AT = 8;

  private final SoftProtectionDomain domain;
  private final InetAddress destination;

  private SoftAddressHandle(SoftProtectionDomain domain, InetAddress destination) {
    super(domain.engine, "address handle");
    this.domain = domain;
    this.destination = destination;
  }

  /** Makes one of a path. */
  static SoftAddressHandle create(SoftProtectionDomain domain, AddressHandleAttributes attributes) {
    if (attributes.port() != 1 || attributes.sourceGidIndex() != 0 || !attributes.isGlobal()) {
      throw refused(domain, "ibv_create_ah", attributes.toString());
    }
    return create(domain, "ibv_create_ah", attributes.destination());
  }

  /** Makes one that leads to where a datagram came from. */
  static SoftAddressHandle create(
      SoftProtectionDomain domain,
      WorkCompletions completions,
      int index,
      ByteBuffer receiveBuffer,
      int port) {
    if (!(completions instanceof SoftWorkCompletions)) {
      throw new IllegalArgumentException("completions of another provider: " + completions);
    }
    if (port < 1 || port > 255) {
      throw new IllegalArgumentException("port must be 1..255, was " + port);
    }
    if (receiveBuffer.remaining() < GRH) {
      throw new IllegalArgumentException(
          "a received datagram begins with "
              + GRH
              + " bytes of header, the buffer has "
              + receiveBuffer.remaining());
    }
    byte[] header = new byte[GRH];
    receiveBuffer.duplicate().get(header);
    InetAddress source = completions.hasGlobalRoutingHeader(index) ? source(header) : null;
    if (port != 1 || source == null) {
      throw refused(domain, "ibv_create_ah_from_wc", "port " + port);
    }
    return create(domain, "ibv_create_ah_from_wc", source);
  }

  private static InetAddress source(byte[] header) {
    try {
      if (header[0] >> 4 == 6) {
        return InetAddress.getByAddress(
            Arrays.copyOfRange(header, IPV6_SOURCE_AT, IPV6_SOURCE_AT + 16));
      }
      return header[IPV4_AT] >> 4 == 4
          ? InetAddress.getByAddress(Arrays.copyOfRange(header, IPV4_SOURCE_AT, IPV4_SOURCE_AT + 4))
          : null;
    } catch (UnknownHostException e) {
      throw new AssertionError("4 and 16 bytes always are an address", e);
    }
  }

  private static SoftAddressHandle create(
      SoftProtectionDomain domain, String operation, InetAddress destination) {
    int length = domain.engine.link().localAddress().getAddress().length;
    if (destination.getAddress().length != length
        || destination.isAnyLocalAddress()
        || destination.isMulticastAddress()) {
      throw refused(domain, operation, "to " + destination.getHostAddress());
    }
    domain.engine.enter();
    try {
      domain.users.acquire(KIND);
      return new SoftAddressHandle(domain, destination);
    } finally {
      domain.engine.leave();
    }
  }

  private static RdmaException refused(
      SoftProtectionDomain domain, String operation, String about) {
    return RdmaException.ofErrno(
        operation, Errno.EINVAL.number(), domain.engine.name() + ", " + about);
  }

  InetAddress destination() {
    return destination;
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  void destroy() {
    domain.users.release(KIND);
  }
}
