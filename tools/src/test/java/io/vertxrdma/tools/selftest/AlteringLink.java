package io.vertxrdma.tools.selftest;

import io.vertxrdma.soft.io.ForwardingLink;
import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/** A link that alters or loses packets before their CRC is made, so that nobody notices there. */
final class AlteringLink extends ForwardingLink {

  private final UnaryOperator<ByteBuffer> altering;

  /**
   * Wraps a link.
   *
   * @param altering what is sent of a copy of each packet, null for nothing; byte 0 is the opcode
   */
  AlteringLink(Link link, UnaryOperator<ByteBuffer> altering) {
    super(link);
    this.altering = altering;
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    ByteBuffer copy = ByteBuffer.allocate(packet.remaining()).put(packet.duplicate()).flip();
    ByteBuffer altered = altering.apply(copy);
    if (altered != null) {
      super.send(destination, altered);
    }
  }
}
